import type { JsonObject, JsonValue } from "../../workspace/json.ts";

/** A value in each locale that has one. */
export type Localized = Readonly<Record<string, JsonValue>>;

export interface Sys {
  readonly id: string;
  readonly version?: number | null;
  readonly publishedVersion?: number | null;
  readonly revision?: number | null;
  readonly archivedVersion?: number | null;
  /** In spaces that publish by locale: `draft`, `published` or `changed` for each. */
  readonly fieldStatus?: JsonValue;
  readonly contentType?: { readonly sys: { readonly id: string } };
  readonly space?: { readonly sys: { readonly id: string } };
}

/** An entry or an asset. */
export interface Resource {
  readonly sys: Sys;
  readonly fields?: Readonly<Record<string, Localized>>;
  readonly metadata?: JsonValue;
}

export interface ContentTypeField {
  readonly id: string;
  readonly apiName?: string | null;
  readonly name?: string | null;
  readonly type: string;
  readonly linkType?: string;
  readonly items?: Pick<ContentTypeField, "type" | "linkType" | "validations">;
  readonly localized?: boolean | null;
  readonly required?: boolean | null;
  readonly omitted?: boolean | null;
  readonly validations?: readonly JsonObject[];
}

export interface ContentType {
  readonly sys: Sys;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly displayField?: string | null;
  readonly fields: readonly ContentTypeField[];
}

export interface Locale {
  readonly code: string;
  readonly default?: boolean | null;
  readonly fallbackCode?: string | null;
}

export const HOW_TO_EXPORT =
  "contentful space export --space-id <id> creates one (it must include the content types)";
