/** What the `Schema` says that `svc types` generates from a project's schema document. */
export interface SchemaTypes {
  /** The data of an entry by its content model key. */
  models: object;
  /** The project's own fields. */
  fields: object;
  /** The content model key behind the layout of a step, by step key. */
  steps: object;
  stepKey: string;
  experienceKey: string;
}

/** Where no schema is given: anything may be there. */
export interface AnySchema extends SchemaTypes {
  models: Record<string, Record<string, unknown>>;
  fields: Record<string, unknown>;
  steps: Record<string, string>;
}

export type ModelKey<S extends SchemaTypes> = keyof S["models"] & string;

/** An entry as it is served; `contentModelKey` tells of which model. */
export type Entry<S extends SchemaTypes, K extends ModelKey<S> = ModelKey<S>> = {
  [P in K]: { id: string; contentModelKey: P; data: S["models"][P] };
}[K];

/** An entry whose model is gone. */
export interface UnknownEntry {
  id: string;
  contentModelKey: null;
  data: Record<never, never>;
}

/** Any entry that can be served. */
export type AnyEntry<S extends SchemaTypes> =
  string extends ModelKey<S>
    ? { id: string; contentModelKey: string | null; data: Record<string, unknown> }
    : Entry<S> | UnknownEntry;

/** The project config document. */
export interface ProjectConfig<S extends SchemaTypes = AnySchema> {
  id: string;
  /** Null on preview. */
  versionId: string | null;
  fields: S["fields"];
  steps: Step<S>[];
  experiences: Experience<S>[];
}

export interface Step<S extends SchemaTypes = AnySchema> {
  id: string;
  key: S["stepKey"];
  name: string;
  layoutName: string;
  /** The id of the entry behind the layout; null when there is none. */
  layoutContentId: string | null;
}

export interface Experience<S extends SchemaTypes = AnySchema> {
  id: string;
  key: S["experienceKey"];
  name: string;
  stepIds: string[];
}

/** The experience content document. */
export interface ExperienceContent<S extends SchemaTypes = AnySchema> {
  experienceId: string;
  /** Null on preview. */
  versionId: string | null;
  /** The entries behind the steps. */
  content: AnyEntry<S>[];
  /** The entries that they reach, each once. */
  references: AnyEntry<S>[];
}

/** What points at an entry. */
export interface Pointer {
  contentEntryId: string;
  contentModelKey?: string | undefined;
}

/** The entry that a pointer may reach; undefined: it is gone, of another workspace, or too deep. */
export type Resolved<S extends SchemaTypes, P extends Pointer> = Target<S, P> | undefined;

/** Without a key in its type, any; with a type that says that there is none, none of a model. */
type Target<S extends SchemaTypes, P extends Pointer> = P extends {
  contentModelKey: infer K extends ModelKey<S>;
}
  ? Entry<S, K>
  : "contentModelKey" extends keyof P
    ? [P["contentModelKey"]] extends [undefined]
      ? UnknownEntry
      : AnyEntry<S>
    : AnyEntry<S>;

/** The entry behind a step; undefined: none is, or this experience does not show it. */
export type Layout<S extends SchemaTypes, K extends S["stepKey"]> =
  | (K extends keyof S["steps"]
      ? S["steps"][K] extends ModelKey<S>
        ? Entry<S, S["steps"][K]>
        : AnyEntry<S>
      : AnyEntry<S>)
  | undefined;

/** The content of an experience, with what finds entries in it. */
export interface Content<S extends SchemaTypes = AnySchema> extends ExperienceContent<S> {
  /** The config that was read with it. When its `versionId` is another, a publish came between. */
  project: ProjectConfig<S>;
  resolve<const P extends Pointer>(pointer: P): Resolved<S, P>;
  layout<K extends S["stepKey"]>(stepKey: K): Layout<S, K>;
}
