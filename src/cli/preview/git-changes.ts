import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { toldRecords } from "../../diff/told-records.ts";
import { canonicalJson } from "../../documents/canonical-json.ts";
import { differingRecords } from "../../folder/edit/entry-texts.ts";
import type { DraftState } from "../../page/draft-state.ts";
import { summaryOf } from "../../page/entry-summary.ts";
import { fieldsOf, storedChange } from "../../page/stored-changes.ts";
import type { SavedRecord } from "../../page/team.ts";
import { isJsonObject, type JsonObject } from "../../workspace/json.ts";
import { KINDS } from "../../workspace/records.ts";
import type { Git } from "./git.ts";
import { blobsOf } from "./git-entry-history.ts";
import type { ChangedFile } from "./git-work.ts";

/** How many changed files are read, and the largest. */
const [MOST_FILES, LARGEST] = [500, 16 * 1024 * 1024];

/** H78: what changed files say in records, and that as one sentence. */
export async function toldChanges(
  git: Git,
  folder: string,
  state: DraftState,
  changes: readonly ChangedFile[],
): Promise<{ readonly records: readonly SavedRecord[]; readonly sentence: string }> {
  const read = changes.slice(0, MOST_FILES);
  const blobs = await blobsOf(
    git,
    read.flatMap(({ blob }) => blob ?? []),
  );
  /** By kind and id: a record may have been moved to another file. */
  const [before, after] = [new Map<string, JsonObject>(), new Map<string, JsonObject>()];
  const others = new Set<string>();
  for (const { file, blob, isGone } of read) {
    const kind = kindOf(file);
    if (kind !== "entries" && kind !== "assets") {
      others.add(kind);
      continue;
    }
    const now = isGone ? undefined : bytesOf(join(folder, file));
    const [was, is] = differingRecords(kind, file, [
      blob === undefined ? blob : blobs.get(blob),
      now,
    ]);
    for (const [id, record] of was ?? []) before.set(`${kind} ${id}`, record);
    for (const [id, record] of is ?? []) after.set(`${kind} ${id}`, record);
    await nextTurn();
  }
  const keys = [...new Set([...after.keys(), ...before.keys()])];
  const records = keys.flatMap(
    (key) => changeOf(state, key, before.get(key), after.get(key)) ?? [],
  );
  if (changes.length > MOST_FILES) others.add(`${changes.length - MOST_FILES} more files`);
  const own = records.length > 0 ? [...others].filter((kind) => kind !== "files") : [...others];
  return {
    records,
    sentence: toldRecords(
      records,
      own.map((one) => `${one} changed`),
    ),
  };
}

/** "entries", "models"; of what is no record "files". */
function kindOf(file: string): string {
  const [top = ""] = file.split(/[/.]/);
  if (top === "workspace") return "settings";
  return (KINDS as readonly string[]).includes(top) ? top : "files";
}

function changeOf(
  state: DraftState,
  key: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): SavedRecord | undefined {
  const [kind = "", id = ""] = key.split(" ");
  const record = (after ?? before) as JsonObject;
  if (kind === "assets") {
    if (before && after && canonicalJson(before) === canonicalJson(after)) return undefined;
    const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    return { kind, id, change, fields: [], title: String(record.fileName ?? id), modelName: null };
  }
  const change = storedChange(state, before, after);
  if (change === undefined) return undefined;
  const { modelId, data = {} } = record;
  const entry = { id, modelId: String(modelId), data: isJsonObject(data) ? data : {} };
  const { title, modelName } = summaryOf(state, entry);
  const fields = change.change === "changed" ? fieldsOf(change) : [];
  return { kind, id, change: change.change, fields, title, modelName };
}

function bytesOf(path: string): Buffer | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= LARGEST ? readFileSync(path) : undefined;
}
