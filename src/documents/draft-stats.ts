import { isJsonObject, type JsonValue } from "../workspace/json.ts";
import type { Counts } from "../workspace/records.ts";
import { filePath } from "./address.ts";
import { checkDraft } from "./check-draft.ts";
import { contentSize } from "./experience-content.ts";
import { type LeftOut, leftOutOf } from "./hidden-entries.ts";
import { type LanguageStats, languageStats } from "./language-stats.ts";
import type { ProjectOutline } from "./project-outline.ts";
import type { Rendering } from "./rendering.ts";
import type { ServeOptions } from "./serve-stale.ts";

/** How many of the largest documents and of the hubs are listed. */
const LISTED = 10;

export interface DocumentStats {
  /** Below `out/`. */
  readonly path: string;
  readonly bytes: number;
  /** Of content: how many entries it shows. */
  readonly entries?: number;
}

interface KindStats {
  readonly count: number;
  readonly bytes: number;
}

/** What a draft consists of, and what publishing it makes. */
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

/** The statistics of a draft. Serves what is stale, as a check does, and assembles nothing. */
export function draftStats(rendering: Rendering, options: ServeOptions = {}): DraftStats {
  const { draft, table } = rendering;
  const outlines: ProjectOutline[] = [];
  const documents: { kind: "content" | "config" | "schema"; stats: DocumentStats }[] = [];
  const shown = new Uint8Array(table.size);
  checkDraft(rendering, {
    ...options,
    onProject(project) {
      const { id: projectId, sizes } = project;
      outlines.push(project);
      const config = { path: filePath({ kind: "project", projectId }), bytes: sizes.config };
      const schema = { path: filePath({ kind: "schema", projectId }), bytes: sizes.schema };
      documents.push({ kind: "config", stats: config }, { kind: "schema", stats: schema });
    },
    onExperience(projectId, experienceId, entries) {
      const { content, references } = entries;
      // E6.
      if (content.length === 0) return;
      for (const list of [content, references]) {
        for (const entry of list) shown[table.forms.entryOf(entry)] = 1;
      }
      const stats = {
        path: filePath({ kind: "content", projectId, experienceId }),
        bytes: contentSize(rendering, entries, experienceId),
        entries: content.length + references.length,
      };
      documents.push({ kind: "content", stats });
    },
  });
  const sum = (of: typeof documents): KindStats => ({
    count: of.length,
    bytes: of.reduce((bytes, { stats }) => bytes + stats.bytes, 0),
  });
  const kind = (name: string) => sum(documents.filter((document) => document.kind === name));
  const experiences = outlines.reduce((count, outline) => count + outline.experiences.length, 0);
  const assetIds = [...draft.changes.assetRevisions().keys()].sort();
  return {
    counts: {
      models: draft.models.length,
      blocks: draft.blocks.length,
      features: draft.features.length,
      projects: outlines.length,
      experiences,
      entries: draft.entryCount,
      assets: assetIds.length,
    },
    documents: {
      ...sum(documents),
      ...{ content: kind("content"), config: kind("config"), schema: kind("schema") },
      largest: documents
        .map(({ stats }) => stats)
        .sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1))
        .slice(0, LISTED),
    },
    leftOut: leftOutOf(table.hidden),
    hubs: hubsOf(rendering),
    languages: languageStats(rendering),
    unused: {
      entries: existing(
        rendering,
        (entry) => shown[entry] === 0 && !table.hidden.has(entry),
      ).sort(),
      models: modelsWithoutEntries(rendering),
      blocks: blocksWithoutUse(rendering),
      assets: assetsWithoutUse(rendering, outlines, assetIds),
      features: draft.features
        .filter(({ type, variants = [] }) => type === "text" && variants.length === 0)
        .map(({ id }) => id),
    },
  };
}

/** The ids of the existing entries that are chosen by number. */
function existing({ table }: Rendering, isChosen: (entry: number) => boolean): string[] {
  const ids: string[] = [];
  for (let entry = 0; entry < table.size; entry += 1) {
    if (table.isEntry(entry) && isChosen(entry)) ids.push(table.ids.id(entry));
  }
  return ids;
}

function hubsOf(rendering: Rendering): DraftStats["hubs"] {
  const { table } = rendering;
  const counts = new Int32Array(table.size);
  /** The entry that pointed at each last, plus one: several pointers of an entry count once. */
  const last = new Int32Array(table.size);
  for (let entry = 0; entry < table.size; entry += 1) {
    if (!table.isEntry(entry)) continue;
    for (const form of [entry, ...table.forms.of(entry)]) {
      const pointers = table.pointers.get(form);
      for (let at = 0; at < pointers.length; at += 2) {
        const target = pointers[at] as number;
        if (target < 0 || last[target] === entry + 1) continue;
        last[target] = entry + 1;
        (counts[target] as number) += 1;
      }
    }
  }
  return existing(rendering, (entry) => (counts[entry] as number) > 0)
    .map((id) => ({ id, entry: rendering.find(id) as number }))
    .map(({ id, entry }) => ({
      id,
      contentModelKey: rendering.modelKeyOf(entry) ?? null,
      pointers: counts[entry] as number,
    }))
    .sort((a, b) => b.pointers - a.pointers || (a.id < b.id ? -1 : 1))
    .slice(0, LISTED);
}

function modelsWithoutEntries({ draft, table }: Rendering): string[] {
  const used = new Set<number>(table.models.subarray(0, table.size));
  return draft.models
    .filter(({ id }) => !used.has(table.modelIds.find(id) ?? Number.NaN))
    .map(({ id }) => id);
}

function assetsWithoutUse(
  { table }: Rendering,
  outlines: readonly ProjectOutline[],
  assetIds: readonly string[],
): string[] {
  const used = new Set(outlines.flatMap(({ assets }) => assets));
  for (let entry = 0; entry < table.size; entry += 1) {
    if (!table.exists(entry)) continue;
    for (const asset of table.assets.get(entry)) used.add(table.assetIds.list[asset] as string);
  }
  return assetIds.filter((id) => !used.has(id));
}

/** Reads stored values until each block was found. */
function blocksWithoutUse({ draft }: Rendering): string[] {
  const unused = new Set(draft.blocks.map(({ id }) => id));
  for (const { fields } of draft.projects) deleteBlocksIn(fields ?? {}, unused);
  if (unused.size === 0) return [];
  for (const { data } of draft.entries()) {
    deleteBlocksIn(data, unused);
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
