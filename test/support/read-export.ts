import type { Fate, Format, FormatOptions, FormatReport } from "../../src/import/format.ts";
import type { Asset } from "../../src/workspace/asset.ts";
import type { Block, Entry, Model, Project } from "../../src/workspace/records.ts";
import type { SourceItem } from "../../src/workspace/source.ts";

/** The options of an import without any. */
export const NO_OPTIONS: FormatOptions = { before: () => undefined };

/** The records of a workspace, by kind. */
export interface Records {
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly entries: readonly Entry[];
  readonly assets: readonly Asset[];
  readonly projects: readonly Project[];
}

/** What an importer makes of an export. */
export interface Read extends Records {
  readonly items: readonly SourceItem[];
  readonly report: FormatReport;
  readonly fates: readonly Fate[];
  readonly definitions: ReturnType<Format["read"]>["definitions"];
  /** The first one. */
  readonly project: Project;
}

/** Reads an export with the importer of its format. */
export function readExport(
  format: Format,
  paths: readonly string[],
  options: Partial<FormatOptions> = {},
): Read {
  const { source, report, fates, definitions } = format.read(paths, { ...NO_OPTIONS, ...options });
  const items = [...source];
  const records = recordsOf(items);
  const project = records.projects[0] as Project;
  return { items, report, fates: [...fates()], definitions, project, ...records };
}

export function recordsOf(items: Iterable<SourceItem>): Records {
  const all = [...items];
  const of = <T>(kind: SourceItem["kind"]) =>
    all.flatMap((item) => (item.kind === kind && "record" in item ? [item.record as T] : []));
  return {
    projects: of<Project>("projects"),
    models: of<Model>("models"),
    blocks: of<Block>("blocks"),
    entries: of<Entry>("entries"),
    assets: of<Asset>("assets"),
  };
}
