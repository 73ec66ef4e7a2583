/** The shape of the `Schema` that `svc types` generates. */
export interface SchemaTypes {
  /** The data of an entry, by content model key. */
  models: object;
  /** The project's own fields. */
  fields: object;
  /** The content model key of a step's layout entry, by step key. */
  steps: object;
  stepKey: string;
  experienceKey: string;
  /** Any text where the generated types do not say. */
  experienceId?: string;
  /** The lists of collections (K13). Any text where the generated types do not say. */
  list?: string;
}

/** The default without a generated schema. */
export interface AnySchema extends SchemaTypes {
  models: Record<string, Record<string, unknown>>;
  fields: Record<string, unknown>;
  steps: Record<string, string>;
}

export type ExperienceId<S extends SchemaTypes = AnySchema> = S extends {
  experienceId: infer Id extends string;
}
  ? Id
  : string;

/** An experience by its id, or by its key, with which the config is searched. */
export type ExperienceName<S extends SchemaTypes = AnySchema> =
  | ExperienceId<S>
  | { key: S["experienceKey"] };

export type ListName<S extends SchemaTypes = AnySchema> = S extends {
  list: infer Name extends string;
}
  ? Name
  : string;

export type ModelKey<S extends SchemaTypes> = keyof S["models"] & string;

/** An entry as served, discriminated by `contentModelKey`. */
export type Entry<S extends SchemaTypes, K extends ModelKey<S> = ModelKey<S>> = {
  [P in K]: { id: string; contentModelKey: P; data: S["models"][P] };
}[K];

/** An entry whose model was deleted. */
export interface UnknownEntry {
  id: string;
  contentModelKey: null;
  data: Record<never, never>;
}

/** Any entry, including those whose model was deleted. */
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
  /** The id of the layout entry; null if the step has none. */
  layoutContentId: string | null;
}

export interface Experience<S extends SchemaTypes = AnySchema> {
  id: ExperienceId<S>;
  key: S["experienceKey"];
  name: string;
  stepIds: string[];
}

/** The experience content document. */
export interface ExperienceContent<S extends SchemaTypes = AnySchema> {
  experienceId: ExperienceId<S>;
  /** Null on preview. */
  versionId: string | null;
  /** The layout entries of the steps. */
  content: AnyEntry<S>[];
  /** The entries that they reference, directly or through others, each once. */
  references: AnyEntry<S>[];
}

/** A reference to an entry. */
export interface Pointer {
  contentEntryId: string;
  contentModelKey?: string | undefined;
}

/** The entry of a pointer; undefined if it was deleted, is in another workspace, or is too deep (K4). */
export type Resolved<S extends SchemaTypes, P extends Pointer> = PointedEntry<S, P> | undefined;

/** Any entry if the pointer's type has no key; an UnknownEntry if its key is `undefined`. */
type PointedEntry<S extends SchemaTypes, P extends Pointer> = P extends {
  contentModelKey: infer K extends ModelKey<S>;
}
  ? Entry<S, K>
  : "contentModelKey" extends keyof P
    ? [P["contentModelKey"]] extends [undefined]
      ? UnknownEntry
      : AnyEntry<S>
    : AnyEntry<S>;

/** The layout entry of a step; undefined if there is none, or it is not in this experience. */
export type Layout<S extends SchemaTypes, K extends S["stepKey"]> =
  | (K extends keyof S["steps"]
      ? [S["steps"][K]] extends [never]
        ? AnyEntry<S>
        : S["steps"][K] extends ModelKey<S>
          ? Entry<S, S["steps"][K]>
          : AnyEntry<S>
      : AnyEntry<S>)
  | undefined;

/** What has changed in a draft. */
export interface Change<S extends SchemaTypes = AnySchema> {
  /** The ids of those whose content has; null when any may have. */
  experiences: ExperienceId<S>[] | null;
  project: boolean;
  schema: boolean;
}

/** The types that all schemas share; those of `svc types` import them (T5). */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

export type Asset = AssetFile | (MissingAsset & { url?: never });

/** A file. `width` and `height` are null if it is not an image. */
export interface AssetFile {
  id: string;
  url: string;
  fileName: string;
  mimeType: string;
  sizeBytes: number | null;
  width: number | null;
  height: number | null;
  title?: string;
  description?: string;
}

/** A deleted asset. Unlike an `AssetFile`, it has no `url`. */
export interface MissingAsset {
  id: string;
  versionId?: string;
}

/** An HTML file as uploaded. `content` is null if the file cannot be read. */
export interface HtmlAsset {
  id: string;
  content: string | null;
}

/** Rich text as served: a tree of JSON with pointers of these types anywhere in it. */
export type RichText<P = AnyPointer> = { [member: string]: RichTextValue<P> } | RichTextValue<P>[];
export type RichTextValue<P = AnyPointer> = null | boolean | number | string | P | RichText<P>;

/** The pointers of a tree whose type is not known. */
export type AnyPointer =
  | { contentEntryId: string; contentModelKey?: string }
  | ServedAsset
  | { contentBlockId: string; contentBlockKey: string; data: object };

/** Without `url` when the asset is missing. */
export type ServedAsset = Pick<AssetFile, "id"> & Partial<AssetFile>;
