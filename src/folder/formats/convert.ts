import type { Entry } from "../../workspace/records.ts";
import type { SourceItem } from "../../workspace/source.ts";
import type { FormatOptions, FormatReport } from "../format.ts";
import type { FoundDocument } from "./found.ts";
import type { Notes } from "./notes.ts";
import { type LinkedEntry, projectOf, rootsOf, unreachableIds } from "./project.ts";
import { type ResolvedType, ResolvedTypes } from "./resolved-types.ts";
import { storedData } from "./stored-data.ts";
import { TypeSurvey } from "./type-survey.ts";

/** What a format reads of an export. */
export interface ReadExport {
  readonly workspaceId: string;
  /** The documents, with their ids in the workspace; read anew with each call. */
  documents(): Iterable<FoundDocument>;
  /** Adds what a schema says. */
  expect?(survey: TypeSurvey): void;
  /** Called once, after the documents have been read; what it leaves out is known when it returns. */
  assets(): Iterable<SourceItem>;
}

/**
 * Converts an export that states no types, or not all: the first reading of the documents finds the
 * types, the second one the references between them, and the third is the import's own, so that no
 * more than a document is held.
 */
export function converted(
  read: ReadExport,
  options: FormatOptions,
  notes: Notes,
): { source: Iterable<SourceItem>; report: FormatReport } {
  const survey = new TypeSurvey();
  read.expect?.(survey);
  for (const document of read.documents()) survey.add(document);
  const types = new ResolvedTypes(survey, notes);
  const linked: LinkedEntry[] = [];
  for (const document of read.documents()) linked.push(linkedEntry(document, types));
  const roots = rootsOf(linked, options.roots);
  const id = read.workspaceId;
  const project = projectOf(id, roots, notes.renamed("the experience of entry"));
  const assets = read.assets();
  const source = function* (): Generator<SourceItem> {
    yield { kind: "workspace", record: { id, name: id } };
    for (const record of types.models()) yield { kind: "models", record };
    for (const record of types.blocks()) yield { kind: "blocks", record };
    yield { kind: "projects", record: project };
    for (const document of read.documents()) {
      yield { kind: "entries", record: entryOf(document, types) };
    }
    yield* assets;
  };
  const report = {
    leftOut: Object.fromEntries(notes.leftOut),
    notCarriedOver: Object.fromEntries([...notes.notCarriedOver].sort()),
    relaxed: [],
    unreachable: unreachableIds(linked, roots),
    warnings: notes.warnings,
  };
  return { source: { [Symbol.iterator]: source }, report };
}

function entryOf({ id, type, members }: FoundDocument, types: ResolvedTypes): Entry {
  const model = modelOf(type, types);
  return { id, modelId: model.id, data: storedData(members, model, types) };
}

function linkedEntry({ id, type, members }: FoundDocument, types: ResolvedTypes): LinkedEntry {
  const model = modelOf(type, types);
  const targets = new Set<string>();
  storedData(members, model, types, (target) => targets.add(target));
  const texts = new Map(
    members.map(([name, { kind, tree }]) => [name, kind === "text" ? tree : ""]),
  );
  const named = NAMES.map((name) => texts.get(name)).find((text) => `${text ?? ""}`.trim() !== "");
  return { id, type, layoutName: model.key, name: `${named ?? id}`, targets: [...targets] };
}

/** The members that name a document, the most telling one first. */
const NAMES = ["title", "name", "heading", "headline", "label"];

function modelOf(type: string, types: ResolvedTypes): ResolvedType {
  const model = types.model(type);
  if (model === undefined) throw new TypeError(`no model for ${type}`);
  return model;
}
