import { expect } from "vitest";
import type { TestBed } from "../test-bed.ts";
import type { Loose } from "./contentful-export.ts";

/** A link of an export with its place: a JSON Pointer into an entry's stored data, or "in json". */
interface RawLink {
  readonly entryId: string;
  readonly path: readonly (string | number)[];
  readonly target: string;
  readonly linkType: string;
  readonly inJson: boolean;
}

/**
 * Counts how each link of an export (in its default locale) was imported. Independent of the
 * importer: uses only the raw export, the problems of the draft and the published files.
 *
 * @throws Error if a link is not served, reported, unreachable or inside a json value.
 */
export function linkFates(bed: TestBed, raw: Loose): Record<string, number> {
  const problems = new Map(bed.check().map(({ at, code }) => [`${at.id} ${at.path}`, code]));
  const served = servedEntries(bed);
  const counts: Record<string, number> = {};
  for (const link of rawLinks(raw)) {
    const fate = fateOf(link, problems, served);
    expect(fate, `no account of ${JSON.stringify(link)}`).toBeDefined();
    counts[fate as string] = (counts[fate as string] ?? 0) + 1;
  }
  return counts;
}

function fateOf(link: RawLink, problems: ReadonlyMap<string, string>, served: Served) {
  if (link.inJson) return "in json";
  const problem = problems.get(`${link.entryId} /${link.path.join("/")}`);
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

type Served = Map<string, { data: Loose; beside: ReadonlySet<string> }[]>;

/** The entries of all published content documents, each with those in the same document. */
export function servedEntries(bed: TestBed): Served {
  const served: Served = new Map();
  const [project] = bed.store.read(() => bed.store.draft(bed.store.workspace(undefined)).projects);
  for (const { id: experienceId } of project?.experiences ?? []) {
    const projectId = project?.id ?? "";
    const { content, references } = bed.file({ kind: "content", projectId, experienceId });
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

function rawLinks(raw: Loose): RawLink[] {
  const types = new Map<string, Loose>(raw.contentTypes.map((type: Loose) => [type.sys.id, type]));
  const locale = raw.locales.find((one: Loose) => one.default).code;
  return raw.entries
    .filter(({ sys }: Loose) => sys.publishedVersion && !sys.archivedVersion)
    .flatMap((entry: Loose) =>
      (types.get(entry.sys.contentType.sys.id)?.fields ?? [])
        .filter(({ omitted }: Loose) => !omitted)
        .flatMap((field: Loose) => {
          const value = entry.fields[field.id]?.[locale];
          const isPointer = ["Link", "RichText"].includes(field.items?.type ?? field.type);
          return linksIn(value, [field.id]).map((link) => ({
            ...{ entryId: entry.sys.id, inJson: !isPointer },
            ...link,
          }));
        }),
    );
}

function linksIn(value: unknown, path: (string | number)[]): Omit<RawLink, "entryId" | "inJson">[] {
  if (typeof value !== "object" || value === null) return [];
  const { sys } = value as Loose;
  if (sys?.type === "Link" && ["Entry", "Asset"].includes(sys.linkType)) {
    return [{ path, target: sys.id, linkType: sys.linkType }];
  }
  return Object.entries(value).flatMap(([name, inner]) => linksIn(inner, [...path, name]));
}
