import { expect } from "vitest";
import type { TestBed } from "../test-bed.ts";
import type { Loose } from "./contentful-export.ts";

/** A link of an export with its place: a JSON Pointer into an entry's stored data, or "in json". */
interface RawLink {
  readonly entryId: string;
  /** Of a value that is stored by locale. */
  readonly locale?: string;
  readonly path: readonly (string | number)[];
  readonly target: string;
  readonly linkType: string;
  readonly inJson: boolean;
}

/**
 * Counts how each link of an export was imported, in each language of a project. Independent of the
 * importer: uses only the raw export, the problems of the draft and the published files.
 *
 * @throws Error if a link is not served, reported, unreachable or inside a json value.
 */
export function linkFates(bed: TestBed, raw: Loose): Record<string, number> {
  const problems = new Map(bed.check().map(({ at, code }) => [`${at.id} ${at.path}`, code]));
  const counts: Record<string, number> = {};
  for (const { projectId, chain, isOnly } of languagesOf(bed, raw)) {
    const served = servedEntries(bed, projectId);
    for (const link of rawLinks(raw, { chain, isOnly })) {
      const fate = fateOf(link, problems, served);
      expect(fate, `no account of ${JSON.stringify(link)} in ${projectId}`).toBeDefined();
      counts[fate as string] = (counts[fate as string] ?? 0) + 1;
    }
  }
  return counts;
}

function fateOf(link: RawLink, problems: ReadonlyMap<string, string>, served: Served) {
  if (link.inJson) return "in json";
  const [field, ...inside] = link.path;
  const stored = [field, ...(link.locale === undefined ? [] : [link.locale]), ...inside];
  const problem = problems.get(`${link.entryId} /${stored.join("/")}`);
  if (problem !== undefined) return problem;
  const copies = served.get(link.entryId);
  if (copies === undefined) return "in an entry that nothing leads to";
  const isServed = copies.some(({ data, beside }) => {
    const value = link.path.reduce<Loose | undefined>((at, segment) => at?.[segment], data);
    if (link.linkType === "Asset") return value?.id === link.target && value?.url !== undefined;
    return value?.contentEntryId === link.target && beside.has(link.target);
  });
  return isServed ? "served" : undefined;
}

/** A language of the export, with the project that serves it. */
export interface ExportLanguage {
  readonly projectId: string;
  /** The locale, then its fallbacks. */
  readonly chain: readonly string[];
  /** Whether it is the only one that is imported: nothing is localized. */
  readonly isOnly: boolean;
}

/** The languages that an export has values in, the default one first, and their projects in the draft. */
export function languagesOf(bed: TestBed, raw: Loose): ExportLanguage[] {
  const main: string = raw.locales.find((one: Loose) => one.default).code;
  const localized = new Set(
    raw.contentTypes.flatMap(({ sys, fields }: Loose) =>
      fields
        .filter((field: Loose) => field.localized && !field.omitted)
        .map((field: Loose) => `${sys.id} ${field.apiName ?? field.id}`),
    ),
  );
  const used = new Set<string>([main]);
  const known: string[] = raw.locales.map(({ code }: Loose) => code);
  for (const { sys, fields = {} } of raw.entries) {
    for (const [name, values] of Object.entries<Loose>(fields)) {
      if (sys.archivedVersion || !localized.has(`${sys.contentType.sys.id} ${name}`)) continue;
      for (const [code, value] of Object.entries(values)) {
        if (value !== null) used.add(code);
      }
    }
  }
  const codes = known.filter((code) => used.has(code));
  const chainOf = (code: string, chain: readonly string[] = [code]): readonly string[] => {
    const next = raw.locales.find((one: Loose) => one.code === chain.at(-1))?.fallbackCode;
    return !next || chain.includes(next) ? chain : chainOf(code, [...chain, next]);
  };
  const projects = bed.store.read(() => bed.store.draft(bed.store.workspace(undefined)).projects);
  if (codes.length === 1) {
    expect(projects.map(({ locale }) => locale)).toEqual([undefined]);
    return [{ projectId: projects[0]?.id ?? "", chain: chainOf(main), isOnly: true }];
  }
  expect(new Set(projects.map(({ locale }) => locale))).toEqual(new Set(codes));
  return codes
    .sort((a, b) => Number(b === main) - Number(a === main))
    .map((code) => {
      const project = projects.find(({ locale }) => locale === code);
      expect(project?.fallbackLocales ?? []).toEqual(chainOf(code).slice(1));
      return { projectId: project?.id ?? "", chain: chainOf(code), isOnly: false };
    });
}

/** Whether no locale of an entry is published. */
export function isDraftEntry(sys: Loose, codes: readonly string[]): boolean {
  const isDelivered = sys.version === undefined && sys.revision > 0;
  if (!sys.publishedVersion && !isDelivered) return true;
  return codes.every((code) => !isPublishedIn(sys, code));
}

export function isPublishedIn({ fieldStatus }: Loose, code: string): boolean {
  return fieldStatus?.["*"]?.[code] !== "draft";
}

type Served = Map<string, { data: Loose; beside: ReadonlySet<string> }[]>;

/** The entries of all published content documents of a project, each with those in the same document. */
export function servedEntries(bed: TestBed, projectId: string): Served {
  const served: Served = new Map();
  const { projects } = bed.store.read(() => bed.store.draft(bed.store.workspace(undefined)));
  const experiences = projects.find(({ id }) => id === projectId)?.experiences ?? [];
  for (const { id: experienceId } of experiences) {
    // E6: without content there is no document.
    const document = bed.file({ kind: "content", projectId, experienceId });
    const { content = [], references = [] } = document ?? {};
    const entries: Loose[] = [...content, ...references];
    const beside = new Set(entries.map(idOf));
    for (const entry of entries) {
      const known = served.get(idOf(entry)) ?? [];
      served.set(idOf(entry), [...known, { data: entry.data, beside }]);
    }
  }
  return served;
}

const idOf = (entry: Loose): string => entry.contentEntryId ?? entry.id;

function rawLinks(raw: Loose, language: Pick<ExportLanguage, "chain" | "isOnly">): RawLink[] {
  const types = new Map<string, Loose>(raw.contentTypes.map((type: Loose) => [type.sys.id, type]));
  const main: string = raw.locales.find((one: Loose) => one.default).code;
  const codes: string[] = raw.locales.map(({ code }: Loose) => code);
  return (
    raw.entries
      .filter(({ sys }: Loose) => !sys.archivedVersion && !isDraftEntry(sys, codes))
      // X3e: in the project of a locale in which it is a draft no document has it.
      .filter(({ sys }: Loose) => language.isOnly || isPublishedIn(sys, language.chain[0] ?? ""))
      .flatMap((entry: Loose) =>
        (types.get(entry.sys.contentType.sys.id)?.fields ?? [])
          .filter(({ omitted }: Loose) => !omitted)
          .flatMap((field: Loose) => {
            const values: Loose = entry.fields[field.id] ?? {};
            const chain = field.localized ? language.chain : [main];
            const code = chain.find(
              (one) => values[one] != null && (!field.localized || isPublishedIn(entry.sys, one)),
            );
            const isPointer = ["Link", "RichText"].includes(field.items?.type ?? field.type);
            return linksIn(code && values[code], [field.id]).map((link) => ({
              entryId: entry.sys.id,
              inJson: !isPointer,
              ...(field.localized && !language.isOnly && { locale: code }),
              ...link,
            }));
          }),
      )
  );
}

function linksIn(
  value: unknown,
  path: (string | number)[],
): Omit<RawLink, "entryId" | "inJson" | "locale">[] {
  if (typeof value !== "object" || value === null) return [];
  const { sys } = value as Loose;
  if (sys?.type === "Link" && ["Entry", "Asset"].includes(sys.linkType)) {
    return [{ path, target: sys.id, linkType: sys.linkType }];
  }
  return Object.entries(value).flatMap(([name, inner]) => linksIn(inner, [...path, name]));
}
