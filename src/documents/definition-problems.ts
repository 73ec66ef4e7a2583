import { hasLocalized } from "../fields/localized.ts";
import { fieldType } from "../fields/registry.ts";
import type { OptionProblem, OptionProblems } from "../fields/renderer.ts";
import type { Asset, AssetFile } from "../workspace/asset.ts";
import { didYouMean, suggestedLocale } from "../workspace/did-you-mean.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { jsonPointer } from "../workspace/json.ts";
import { isLanguageTag } from "../workspace/language.ts";
import { type Problem, type ProblemPlace, problem } from "../workspace/problem.ts";
import type { Project } from "../workspace/records.ts";

type Definitions = Pick<Draft, "workspace" | "models" | "blocks">;

/**
 * P3, P4: the problems of the definitions of fields, in models, blocks and the workspace.
 *
 * @param found the problems of entries and projects: those of options that refuse a stored value are
 *   among them, as errors.
 */
export function definitionProblems(
  definitions: Definitions,
  options: OptionProblems,
  found: readonly Problem[],
): Problem[] {
  const refusing = new Set(
    found.flatMap(({ code, at }) => (code === "option-unknown" ? JSON.stringify(at) : [])),
  );
  const unused = [...options.values()].flat();
  return [
    ...allFields(definitions).flatMap(([field, place]) => patternProblem(field, place)),
    ...unused.filter(({ at }) => !refusing.has(JSON.stringify(at))),
  ];
}

/** P3, P11: the problems of options that name models or categories that do not exist. */
export function optionProblems(definitions: Definitions): OptionProblems {
  return new Map(
    allFields(definitions).flatMap(([field, place]) => {
      const unknown = fieldType(field.type).unknownNames?.(field, definitions) ?? [];
      const problems = unknown.map(({ option, name, path, known }): OptionProblem => {
        // P10a.
        const records = option === "category" ? [] : definitions[option];
        const byId = records.find((one) => one.id === name || one.name === name);
        const suggestion = byId?.key ?? didYouMean(name, known);
        const args = { field: field.key, option, name, ...(suggestion && { suggestion }) };
        return problem(place(...path), "option-unknown", args) as OptionProblem;
      });
      return problems.length === 0 ? [] : [[field, problems]];
    }),
  );
}

/** Where the definition of each field is. */
export function fieldPlaces(definitions: Definitions): ReadonlyMap<FieldDefinition, ProblemPlace> {
  return new Map(allFields(definitions).map(([field, place]) => [field, place()]));
}

type PlaceIn = (...path: (string | number)[]) => ProblemPlace;

/** All fields, each with the places in its definition. */
function allFields({ workspace, models, blocks }: Definitions): [FieldDefinition, PlaceIn][] {
  const fieldsOf = (kind: ProblemPlace["kind"], id: string, fields: readonly FieldDefinition[]) =>
    fields.map((field, index): [FieldDefinition, PlaceIn] => [
      field,
      (...path) => ({ kind, id, path: jsonPointer(["fields", index, ...path]) }),
    ]);
  return [
    ...models.flatMap(({ id, fields }) => fieldsOf("model", id, fields)),
    ...blocks.flatMap(({ id, fields }) => fieldsOf("block", id, fields)),
    ...fieldsOf("workspace", workspace.id, workspace.fields ?? []),
  ];
}

function patternProblem(field: FieldDefinition, place: PlaceIn): Problem[] {
  const reason = fieldType(field.type).unboundedPattern?.(field);
  if (reason === undefined) return [];
  const { key, pattern } = field as FieldDefinition & { readonly pattern: string };
  return [problem(place("pattern"), "pattern-unbounded", { field: key, pattern, reason })];
}

/** B5: a project without a locale, and locales of it that are no language tags. */
export function localeProblems(
  draft: Pick<Draft, "models" | "blocks">,
  { id, locale, fallbackLocales = [] }: Project,
): Problem[] {
  const at = (...path: (string | number)[]) => ({
    kind: "project" as const,
    id,
    path: jsonPointer(path),
  });
  if (locale === undefined) {
    return hasLocalized(draft) ? [problem(at(), "locale-missing", {})] : [];
  }
  const named = [
    { locale, place: at("locale") },
    ...fallbackLocales.map((one, index) => ({ locale: one, place: at("fallbackLocales", index) })),
  ];
  return named
    .filter((one) => !isLanguageTag(one.locale))
    .map((one) => problem(one.place, "locale-invalid", { locale: one.locale }));
}

/** The types of images whose pixel sizes an import measures, as their file names give them. */
const MEASURED: ReadonlySet<string> = new Set(
  `
  image/png image/jpeg image/gif image/webp image/avif image/svg+xml image/bmp image/tiff
  image/heic image/heif image/jxl image/jp2 image/vnd.microsoft.icon
  image/vnd.adobe.photoshop image/vnd.ms-dds image/ktx image/x-portable-anymap image/x-tga
  `.match(/\S+/g),
);

/** P12: the held files of the draft that are not the images that their types say. */
export function assetProblems(draft: Draft): Problem[] {
  return [...draft.assets.values()].flatMap((asset) =>
    filesOf(asset).flatMap(([path, file]) => {
      if (!isUnreadable(file, draft)) return [];
      const { fileName, mimeType } = file;
      const place = { kind: "asset", id: asset.id, path } as const;
      return problem(place, "image-unreadable", { fileName, mimeType });
    }),
  );
}

/** V4d: the texts of assets in locales of no project, as B5 says of values. */
export function assetTextProblems({ assets }: Draft, locales: ReadonlySet<string>): Problem[] {
  return [...assets.values()].flatMap((asset) =>
    filesOf(asset).flatMap(([path, file]) =>
      (["title", "description"] as const).flatMap((name) => {
        const text = file[name];
        if (typeof text !== "object") return [];
        return Object.keys(text).flatMap((locale) => {
          if (locales.has(locale)) return [];
          const at = {
            kind: "asset",
            id: asset.id,
            path: path + jsonPointer([name, locale]),
          } as const;
          if (!isLanguageTag(locale)) {
            return problem(at, "locale-invalid", { locale, isUnused: true });
          }
          return problem(at, "locale-unused", {
            locale,
            ...suggestedLocale(locale, locales),
          });
        });
      }),
    ),
  );
}

/** An asset and its versions, each with its place in the record. */
export function filesOf({ versions = [], ...asset }: Asset): [path: string, file: AssetFile][] {
  return [
    ["", asset],
    ...versions.map((version, index): [string, AssetFile] => [`/versions/${index}`, version]),
  ];
}

function isUnreadable({ sha256, width, mimeType }: AssetFile, draft: Draft): boolean {
  if (sha256 === undefined || width !== null || !MEASURED.has(mimeType)) return false;
  // An SVG image need not say its size.
  if (mimeType !== "image/svg+xml") return true;
  const bytes = draft.fileBytes(sha256);
  return bytes === undefined || !Buffer.from(bytes).includes("<svg");
}
