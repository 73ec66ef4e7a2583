import { type Address, filePath } from "../documents/address.ts";
import { VERSION_ID_GROWTH } from "../documents/document.ts";
import { documentAt, documents } from "../documents/documents.ts";
import { ContentDocument } from "../documents/experience-content.ts";
import { type LeftOut, leftOutOf } from "../documents/hidden-entries.ts";
import {
  type LanguageStats,
  languageStats,
  type OlderValues,
} from "../documents/language-stats.ts";
import { renderProjectFields } from "../documents/project-config.ts";
import type { OnProgress, Rendering } from "../documents/rendering.ts";
import { countsOf, entryIds } from "../workspace/draft.ts";
import { isJsonObject, type JsonValue } from "../workspace/json.ts";
import { mainLanguage } from "../workspace/language.ts";
import type { Weight } from "../workspace/problem-catalogue.ts";
import type { Counts } from "../workspace/records.ts";
import { doneAtOnce } from "../workspace/work.ts";

/** How many of the largest documents and of the hubs are listed. */
const LISTED = 10;

export interface DocumentStats {
  /** Below `out/`. */
  readonly path: string;
  readonly bytes: number;
  /** Of content: how many entries it shows, and what brings most into it (P6a). */
  readonly entries?: number;
  readonly through?: Weight;
}

interface KindStats {
  readonly count: number;
  readonly bytes: number;
}

/** P8: what a draft consists of, and what publishing it makes. */
export interface DraftStats {
  readonly counts: Counts & { readonly experiences: number };
  readonly documents: KindStats & {
    readonly content: KindStats;
    readonly config: KindStats;
    readonly schema: KindStats;
    readonly largest: readonly DocumentStats[];
  };
  /** A1, A4: the entries that are not published. */
  readonly leftOut: LeftOut;
  /** The entries that most others point at; `pointers`: from how many entries. */
  readonly hubs: readonly {
    readonly id: string;
    readonly contentModelKey: string | null;
    readonly pointers: number;
  }[];
  /** P14: none without a localized field. */
  readonly languages: readonly LanguageStats[];
  /** H49: of which the others are translations; null: there is none. */
  readonly mainLocale: string | null;
  /** Ids of records without effect on what is published, each list in order. */
  readonly unused: {
    /** No experience shows them, although nothing prevents that they are published. */
    readonly entries: readonly string[];
    /** No entry is of them. */
    readonly models: readonly string[];
    /** No entry and no project has one. */
    readonly blocks: readonly string[];
    /** No entry and no project names them. */
    readonly assets: readonly string[];
    /** Text flags without a variant. */
    readonly features: readonly string[];
  };
}

/** The statistics of a draft, as publishing it would make its documents. */
export function draftStats(
  rendering: Rendering,
  { onProgress, older }: { onProgress?: OnProgress | undefined; older?: OlderValues } = {},
): DraftStats {
  const { draft, hidden } = rendering;
  const all: { address: Address; stats: DocumentStats }[] = [];
  const shown = new Set<string>();
  const hubs = hubsOf(rendering, onProgress);
  for (const document of documents(rendering, "published")) {
    const { address, size } = document;
    const stats = { path: filePath(address), bytes: size + VERSION_ID_GROWTH };
    const entries = document instanceof ContentDocument ? document.entries() : undefined;
    for (const { head } of entries ?? []) shown.add(head.id);
    const counted = entries === undefined ? stats : { ...stats, entries: entries.length };
    all.push({ address, stats: counted });
  }
  const sum = (of: typeof all): KindStats => ({
    count: of.length,
    bytes: of.reduce((bytes, { stats }) => bytes + stats.bytes, 0),
  });
  const kind = (name: string) => sum(all.filter(({ address }) => address.kind === name));
  const { entries, assets, ...definitions } = countsOf(draft);
  const experiences = rendering.projects.reduce((count, one) => count + one.experiences.length, 0);
  return {
    counts: { ...definitions, experiences, entries, assets },
    documents: {
      ...sum(all),
      content: kind("content"),
      config: kind("project"),
      schema: kind("schema"),
      largest: all
        .sort((a, b) => b.stats.bytes - a.stats.bytes || (a.stats.path < b.stats.path ? -1 : 1))
        .slice(0, LISTED)
        .map(({ address, stats }) => {
          const document = documentAt(rendering, address, "published");
          return document instanceof ContentDocument
            ? { ...stats, through: document.through }
            : stats;
        }),
    },
    leftOut: leftOutOf(hidden),
    hubs,
    languages: doneAtOnce(languageStats(draft, older)),
    mainLocale: mainLanguage(draft.projects)[0] ?? null,
    unused: {
      entries: entryIds(draft).filter(
        (id) => !shown.has(id) && !hidden.byId.has(id) && !hidden.inLocales.has(id),
      ),
      models: modelsWithoutEntries(rendering),
      blocks: blocksWithoutUse(rendering),
      assets: assetsWithoutUse(rendering),
      features: draft.features
        .filter(({ type, variants = [] }) => type === "text" && variants.length === 0)
        .map(({ id }) => id),
    },
  };
}

function hubsOf(rendering: Rendering, onProgress?: OnProgress): DraftStats["hubs"] {
  /** From which entries each is pointed at: several pointers of an entry count once. */
  const sources = new Map<string, Set<string>>();
  for (const { entry, language } of rendering.all(onProgress)) {
    const { head, pointers } = entry;
    const locale = rendering.lookup.localeOf(language);
    for (const { target } of pointers) {
      if (rendering.find(target, locale) === undefined) continue;
      const earlier = sources.get(target);
      if (earlier === undefined) sources.set(target, new Set([head.id]));
      else earlier.add(head.id);
    }
  }
  return [...sources]
    .flatMap(([id, { size }]) => {
      const entry = rendering.find(id);
      if (entry === undefined) return [];
      const contentModelKey = rendering.lookup.modelKeyOf(entry) ?? null;
      return { id, contentModelKey, pointers: size };
    })
    .sort((a, b) => b.pointers - a.pointers || (a.id < b.id ? -1 : 1))
    .slice(0, LISTED);
}

function modelsWithoutEntries({ draft }: Rendering): string[] {
  const used = new Set(Array.from(draft.entries.values(), ({ modelId }) => modelId));
  return draft.models.filter(({ id }) => !used.has(id)).map(({ id }) => id);
}

function assetsWithoutUse(rendering: Rendering): string[] {
  const { projects, assets } = rendering.draft;
  const used = new Set(
    projects.flatMap((project) => renderProjectFields(rendering, project).renderer.assets),
  );
  for (const { entry } of rendering.all()) for (const id of entry.assets) used.add(id);
  return [...assets.keys()].filter((id) => !used.has(id)).sort();
}

/** Reads stored values until each block was found. */
function blocksWithoutUse({ draft }: Rendering): string[] {
  const unused = new Set(draft.blocks.map(({ id }) => id));
  for (const { fields } of draft.projects) deleteBlocksIn(fields ?? {}, unused);
  if (unused.size === 0) return [];
  for (const head of draft.entries.values()) {
    deleteBlocksIn(draft.dataOf(head), unused);
    if (unused.size === 0) break;
  }
  return [...unused];
}

function deleteBlocksIn(value: JsonValue, unused: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) deleteBlocksIn(item, unused);
  if (!isJsonObject(value)) return;
  if (typeof value.contentBlockId === "string") unused.delete(value.contentBlockId);
  for (const member of Object.values(value)) deleteBlocksIn(member, unused);
}
