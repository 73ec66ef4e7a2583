import type { Draft } from "../workspace/draft.ts";
import type { Problem } from "../workspace/problem.ts";

/** With more missing ids, content was removed, and no id misspelt. */
const MISSING_AT_MOST = 100;

/** The length and the characters of ids (I1). */
const LONGEST_ID = 128;
const CHARACTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"];

/** The draft and its entries. */
interface Ids {
  readonly draft: Draft;
  find(entryId: string): unknown;
}

/**
 * P10: adds to problems of missing entries and assets the id that is probably meant. They are not part
 * of a rendered entry, since any other entry may change them.
 */
export function withSuggestedIds(problems: readonly Problem[], ids: Ids): readonly Problem[] {
  const entries = missingIds(problems, missingEntry);
  const assets = missingIds(problems, missingAsset);
  const { draft } = ids;
  suggestIds(entries, draft.entries, (id) => ids.find(id) !== undefined);
  suggestIds(assets, draft.assets, (id) => draft.assets.has(id));
  if (entries.size + assets.size === 0) return problems;
  return problems.map((problem) => {
    const suggestion =
      entries.get(missingEntry(problem) ?? "") ?? assets.get(missingAsset(problem) ?? "");
    if (suggestion === undefined) return problem;
    return { ...problem, args: { ...problem.args, suggestion } } as Problem;
  });
}

function missingEntry({ code, args }: Problem): string | undefined {
  return code === "reference-deleted" || code === "step-entry-missing" ? args.target : undefined;
}

function missingAsset({ code, args }: Problem): string | undefined {
  const isMissing =
    code === "asset-missing" || (code === "html-unreadable" && args.reason === "missing");
  return isMissing ? args.asset : undefined;
}

/** The missing ids; none when there are too many. */
function missingIds(
  problems: readonly Problem[],
  idOf: (problem: Problem) => string | undefined,
): Map<string, string | undefined> {
  const missing = new Map<string, string | undefined>();
  for (const problem of problems) {
    const id = idOf(problem);
    if (id !== undefined && id.length <= LONGEST_ID) missing.set(id, undefined);
  }
  return missing.size > MISSING_AT_MOST ? new Map() : missing;
}

/** Looks for the near ids, since there may be too many ids to compare them. */
function suggestIds(
  missing: Map<string, string | undefined>,
  records: Iterable<readonly [id: string, record: unknown]>,
  exists: (id: string) => boolean,
): void {
  for (const id of missing.keys()) {
    // Otherwise one of its versions is missing.
    if (!exists(id)) missing.set(id, first(nearIds(id), exists));
  }
  const left = Map.groupBy(
    [...missing.keys()].filter((id) => missing.get(id) === undefined && !exists(id)),
    (id) => id.toLowerCase(),
  );
  for (const [id] of left.size > 0 ? records : []) {
    if (!exists(id)) continue;
    for (const name of left.get(id.toLowerCase()) ?? []) missing.set(name, id);
  }
}

function first(ids: Iterable<string>, exists: (id: string) => boolean): string | undefined {
  for (const id of ids) if (exists(id)) return id;
  return undefined;
}

/** With two characters swapped; with one left out, replaced or inserted. */
function* nearIds(id: string): Generator<string> {
  for (let at = 0; at + 1 < id.length; at += 1) {
    yield `${id.slice(0, at)}${id[at + 1]}${id[at]}${id.slice(at + 2)}`;
  }
  for (let at = 0; at < id.length; at += 1) yield id.slice(0, at) + id.slice(at + 1);
  for (let at = 0; at <= id.length; at += 1) {
    const [before, from, after] = [id.slice(0, at), id.slice(at), id.slice(at + 1)];
    for (const character of CHARACTERS) {
      yield before + character + from;
      yield before + character + after;
    }
  }
}
