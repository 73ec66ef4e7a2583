import {
  type KnownEntry,
  knownEntries,
  type RenamedEntry,
  renamedEntries,
} from "../diff/renamed-entries.ts";
import { entriesIn, type Snapshot } from "../diff/snapshot.ts";
import { SvcError } from "../workspace/errors.ts";
import { isJsonObject, type JsonObject, parsedJson } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";
import type { EarlierContent, Rendered } from "./draft-source.ts";

/**
 * D6: of the entries that pointers name and that do not exist, those that seem to be renamed. To read what
 * was published takes long, so it is parsed only where an entry of such an id was in it.
 */
export function renamedTargets(
  { version, problems }: Pick<Rendered, "version" | "problems">,
  earlier: () => Iterable<EarlierContent>,
): RenamedEntry[] {
  try {
    return version.draft === undefined ? [] : renamedIn(version, version.draft, problems, earlier);
  } catch (error) {
    // What was published may be damaged, which prevents no publish.
    if (error instanceof SvcError) return [];
    throw error;
  }
}

function renamedIn(
  { definitions }: Rendered["version"],
  draft: NonNullable<Snapshot["draft"]>,
  problems: readonly Problem[],
  earlier: () => Iterable<EarlierContent>,
): RenamedEntry[] {
  const missing = missingTargets(problems);
  if (missing.size === 0) return [];
  const named = (served: Iterable<JsonObject>) => knownEntries(served, definitions);
  const gone = new Map<string, KnownEntry>();
  for (const { isKept, bytes } of earlier()) {
    if (isKept) continue;
    const document = bytes();
    if (!hasOneOf(missing, document)) continue;
    for (const one of named(entriesIn(parsed(document))))
      if (missing.has(one.id)) gone.set(one.id, one);
  }
  if (gone.size === 0) return [];
  const had = new Set<unknown>();
  for (const { bytes } of earlier()) for (const { id } of entriesIn(parsed(bytes()))) had.add(id);
  const come = named(draft.entries()).filter(({ id }) => !had.has(id));
  return renamedEntries(gone.values(), come);
}

function missingTargets(problems: readonly Problem[]): ReadonlySet<string> {
  const targets = problems.flatMap(({ code, args }) =>
    code === "reference-deleted" || code === "step-entry-missing" ? args.target : [],
  );
  return new Set(targets);
}

/** Canonical JSON (F2), and ids are ASCII (I1). */
const ID = Buffer.from('"id":"');
const QUOTE = 0x22;

/** Whether one of these ids is that of an object in a document. */
function hasOneOf(ids: ReadonlySet<string>, document: Buffer): boolean {
  for (let at = document.indexOf(ID); at >= 0; at = document.indexOf(ID, at)) {
    const start = at + ID.length;
    at = document.indexOf(QUOTE, start);
    if (at < 0) return false;
    if (ids.has(document.toString("latin1", start, at))) return true;
  }
  return false;
}

function parsed(document: Buffer): JsonObject {
  const value = parsedJson(document.toString());
  return isJsonObject(value) ? value : {};
}
