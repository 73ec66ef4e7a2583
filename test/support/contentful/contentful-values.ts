import { expect } from "vitest";
import type { FormatReport } from "../../../src/import/format.ts";
import { entriesInOrder } from "../../../src/workspace/draft.ts";
import type { TestBed } from "../test-bed.ts";
import type { Loose } from "./contentful-export.ts";
import {
  type ExportLanguage,
  isDraftEntry,
  isPublishedIn,
  languagesOf,
  servedEntries,
} from "./contentful-links.ts";

/**
 * Accounts for each value of each locale, and each entry and asset of an export. Independent of the
 * importer: it compares the raw export with the published files of the project of each language, of
 * what these do not have with the store, and what is nowhere with the report.
 */
export function valueFates(bed: TestBed, raw: Loose, report: FormatReport) {
  const { leftOut } = report;
  const walk = new Walk(bed, raw);
  for (const entry of raw.entries) walk.entry(entry);
  for (const asset of raw.assets) walk.asset(asset);
  const { served, problems, unreached, ...lost } = walk.counts;
  expect(report.unpublishedEdits).toEqual(walk.edits);
  const reported = (reason: string) =>
    Object.entries(leftOut)
      .filter(([said]) => said.startsWith(reason))
      .reduce((sum, [, count]) => sum + count, 0);
  expect(lost).toEqual({
    unknown:
      reported("values that the content type has no field for, or an omitted one") +
      reported("values of entries whose content type is not in the export"),
    otherLocales: reported("values in "),
    metadata: ["tags of entries", "concepts of entries", "tags of assets", "concepts of assets"]
      .map(reported)
      .reduce((sum, one) => sum + one),
    drafts: report.drafts,
    archived: reported("entries that are archived"),
    assetsWithoutFile: reported("assets that have no file"),
    unpublishedAssets:
      reported("assets that are not published") + reported("assets that are archived"),
  });
  return { served, problems, ...(unreached > 0 && { unreached }) };
}

class Walk {
  readonly counts = {
    served: 0,
    problems: 0,
    unreached: 0,
    unknown: 0,
    otherLocales: 0,
    metadata: 0,
    drafts: 0,
    archived: 0,
    assetsWithoutFile: 0,
    unpublishedAssets: 0,
  };
  readonly edits: object[] = [];
  #stored: ReadonlyMap<string, Loose> = new Map();
  readonly #languages: readonly ServedLanguage[];
  readonly #codes: readonly string[];
  readonly #problems: ReadonlySet<string>;
  readonly #types: ReadonlyMap<string, Loose>;
  readonly #locale: string;
  #assets: ReadonlyMap<string, Loose> = new Map();

  constructor(bed: TestBed, raw: Loose) {
    this.#languages = languagesOf(bed, raw).map((one) => ({
      ...one,
      served: servedEntries(bed, one.projectId),
    }));
    this.#codes = raw.locales.map(({ code }: Loose) => code);
    this.#problems = new Set(bed.check().map(({ at }) => `${at.id} ${at.path.split("/")[1]}`));
    this.#types = new Map(raw.contentTypes.map((type: Loose) => [type.sys.id, type]));
    this.#locale = raw.locales.find((one: Loose) => one.default).code;
    const byId = (records: Iterable<Loose>) =>
      new Map([...records].map((record) => [record.id as string, record]));
    bed.store.read(() => {
      const draft = bed.store.draft(bed.store.workspace(undefined));
      this.#assets = byId(draft.assets.values());
      this.#stored = byId(entriesInOrder(draft));
    });
  }

  entry({ sys, fields = {}, metadata }: Loose): void {
    if (sys.archivedVersion) {
      this.counts.archived += 1;
      return;
    }
    this.#noteMetadata(metadata);
    const isInAll = this.#isDraft(sys);
    const type = this.#types.get(sys.contentType.sys.id);
    for (const [name, values] of Object.entries<Loose>(fields)) {
      const field = type?.fields.find((one: Loose) => (one.apiName ?? one.id) === name);
      if (field === undefined || field.omitted) {
        this.counts.unknown += 1;
        continue;
      }
      this.#field(sys, name, { field, values, isInAll });
    }
  }

  /** Each value of a field: in the project of its language, or counted. */
  #field(sys: Loose, name: string, { field, values, isInAll }: FieldValues): void {
    const present = Object.keys(values).filter((code) => values[code] !== null);
    const taken = new Set<string>();
    for (const { chain, isOnly, served } of this.#languages) {
      // X3e: of a draft in this locale the values are in the draft.
      const isDraft = isInAll || (!isOnly && !isPublishedIn(sys, chain[0] ?? ""));
      const wanted = field.localized ? chain : [this.#locale];
      const code = wanted.find(
        (one) => present.includes(one) && (isDraft || !field.localized || isPublishedIn(sys, one)),
      );
      const stored = this.#stored.get(sys.id)?.data[name];
      const isByLocale = field.localized && !isOnly;
      const [copy] = served.get(sys.id) ?? [];
      // No project serves a draft, nor one what only texts of another language lead to.
      const isReached = copy !== undefined;
      const found = isReached ? copy.data[name] : isByLocale ? stored?.[code ?? ""] : stored;
      const isOwn = code !== undefined && !taken.has(code);
      if (code !== undefined) taken.add(code);
      if (code === undefined) expect(found ?? undefined, `${sys.id} ${name}`).toBeUndefined();
      else if (isSame(field, found, values[code])) {
        if (isOwn) this.counts[isReached || isDraft ? "served" : "unreached"] += 1;
      } else {
        expect(this.#problems, `${sys.id} ${name}: ${JSON.stringify(values[code])}`).toContain(
          `${sys.id} ${name}`,
        );
        if (isOwn) this.counts.problems += 1;
      }
    }
    this.counts.otherLocales += present.filter((one) => !taken.has(one)).length;
  }

  /** Whether an entry is a draft; checks that it is then stored as such, and in no published document. */
  #isDraft(sys: Loose): boolean {
    const isAll = this.#languages.length > 1;
    const isDraft = isDraftEntry(sys, isAll ? this.#codes : [this.#locale]);
    const locales = this.#languages
      .filter(({ chain: [own = ""], isOnly }) => !isOnly && !isPublishedIn(sys, own))
      .map(({ chain: [own] }) => [own, true]);
    const isPartly = !isDraft && locales.length > 0;
    const expected = isPartly ? Object.fromEntries(locales) : isDraft || undefined;
    expect(this.#stored.get(sys.id)?.draft, sys.id).toEqual(expected);
    const isServed = this.#languages.some(({ served }) => served.has(sys.id));
    expect(isServed, `whether ${sys.id} is in a document`).toBe(!isDraft);
    if (isDraft) this.counts.drafts += 1;
    else this.#noteEdit("entry", sys);
    return isDraft;
  }

  /** By the text of the entries: whether a draft names an asset, and no published entry does. */
  #isOfDraftsOnly(id: string): boolean {
    const named = [...this.#stored.values()].filter(({ data }) =>
      JSON.stringify(data).includes(`"assetId":${JSON.stringify(id)}`),
    );
    return named.length > 0 && named.every(({ draft }) => draft);
  }

  #noteEdit(kind: string, { id, version, publishedVersion, fieldStatus }: Loose): void {
    const isChanged = this.#languages.some(
      ({ chain: [own = ""] }) => fieldStatus?.["*"]?.[own] === "changed",
    );
    if (isChanged || version > publishedVersion + 1) this.edits.push({ kind, id });
  }

  #noteMetadata(metadata: Loose = {}): void {
    for (const list of Object.values(metadata)) this.counts.metadata += list.length;
  }

  asset({ sys, fields, metadata }: Loose): void {
    if (!isPublished(sys)) {
      const isImported = !sys.archivedVersion && this.#isOfDraftsOnly(sys.id);
      expect(this.#assets.has(sys.id), sys.id).toBe(isImported);
      if (!isImported) this.counts.unpublishedAssets += 1;
      if (!isImported) return;
    }
    this.#noteMetadata(metadata);
    const files = Object.values<Loose>(fields.file ?? {});
    if (!files.some((file) => file?.url)) {
      this.counts.assetsWithoutFile += 1;
      return;
    }
    if (isPublished(sys)) this.#noteEdit("asset", sys);
    const asset = this.#assets.get(sys.id);
    expect(asset, `the asset ${sys.id}`).toBeDefined();
    const text = (name: string) => this.#inLocales(sys, fields[name] ?? {});
    this.counts.otherLocales += files.filter((file) => file !== null).length - 1;
    expect([asset?.title, asset?.description]).toEqual([text("title"), text("description")]);
    expect(files.map(({ url }) => `https:${url}`.replace("https:https:", "https:"))).toContain(
      asset?.url,
    );
  }

  /** V4d: the texts in the locales of projects; of one locale alone its own. */
  #inLocales(sys: Loose, values: Loose): unknown {
    // Where no language has another, an empty text is none.
    if (!Object.values(values).some(Boolean)) return undefined;
    const present = Object.entries(values).filter(([, text]) => text !== null);
    const isOnly = this.#languages.every((one) => one.isOnly);
    const codes = this.#languages.map(({ chain: [own] }) => own);
    const taken = present.filter(([code]) =>
      isOnly ? code === this.#locale : codes.includes(code) && isPublishedIn(sys, code),
    );
    this.counts.otherLocales += present.length - taken.length;
    if (isOnly) return taken[0]?.[1];
    return taken.length === 0 ? undefined : Object.fromEntries(taken);
  }
}

interface FieldValues {
  readonly field: Loose;
  readonly values: Loose;
  readonly isInAll: boolean;
}

type ServedLanguage = ExportLanguage & { readonly served: ReturnType<typeof servedEntries> };

function isSame(field: Loose, found: unknown, value: unknown): boolean {
  const isPlain = (field.items?.type ?? field.type) === "Object";
  const expected = isPlain ? plain(value) : pointed(value);
  return JSON.stringify(isPlain ? plain(found) : unpointed(found)) === JSON.stringify(expected);
}

function isPublished({ version, publishedVersion, archivedVersion, revision }: Loose): boolean {
  if (archivedVersion) return false;
  return Boolean(publishedVersion) || (version === undefined && revision > 0);
}

/** A value whose objects have their members in order, as documents have them. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map(plain) : sorted(value, plain);
}

/** A raw value with "entry x" and "asset x" in place of links. */
function pointed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(pointed);
  const { sys } = value as Loose;
  if (sys?.type === "Link") return `${sys.linkType} ${sys.id}`;
  return sorted(value, pointed);
}

/** A served or a stored value with the same in place of pointers. */
function unpointed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unpointed);
  const { contentEntryId, assetId, id, mimeType } = value as Loose;
  if (typeof assetId === "string") return `Asset ${assetId}`;
  if (typeof contentEntryId === "string") return `Entry ${contentEntryId}`;
  // A missing asset is served as its id.
  const isAsset = typeof mimeType === "string" || Object.keys(value).join() === "id";
  if (typeof id === "string" && isAsset) return `Asset ${id}`;
  return sorted(value, unpointed);
}

function sorted(value: object, map: (value: unknown) => unknown): unknown {
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, one]) => [name, map(one)]));
}
