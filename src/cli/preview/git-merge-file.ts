import { sha256 } from "../../documents/version-id.ts";
import { parseJsonText } from "../../folder/json-text.ts";
import { type Conflict, mergeTexts } from "../../folder/merge/merge-texts.ts";
import { recordsIn } from "../../folder/migrate/migrate-folder.ts";
import type { DraftState } from "../../page/draft-state.ts";
import { summaryOf } from "../../page/entry-summary.ts";
import { storedValue } from "../../page/stored-changes.ts";
import type { TeamConflict } from "../../page/team.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";

/** The text of a file of records on three sides; undefined: it is not there. */
export interface FileSides {
  /** Below the folder. */
  readonly file: string;
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

type Choices = ReadonlyMap<string, "mine" | "theirs">;

type Path = NonNullable<Conflict["ours"]>;

/** H79: a file merged by field (G4). `open`: what is not chosen yet; then the text is none to write. */
export function mergedFile(
  state: DraftState,
  sides: FileSides,
  choices: Choices,
): { readonly text: string | undefined; readonly open: readonly TeamConflict[] } {
  const { file, base = "", ours, theirs } = sides;
  if (ours === undefined || theirs === undefined) return wholeFile(state, sides, choices);
  const isOfLines = file.endsWith(".ndjson");
  const [before, our, their] = [base, ours, theirs].map((text) =>
    isOfLines ? listOf(text) : text,
  ) as [string, string, string];
  const [mine, other] = [our, their].map(jsonIn);
  const open: TeamConflict[] = [];
  const choose = (conflict: Conflict) => {
    const told = toldConflict(state, file, conflict, [mine, other]);
    const choice = choices.get(told.key);
    if (choice === undefined) open.push(told);
    return choice === "mine" ? "ours" : choice;
  };
  const merged = mergeTexts({ base: before, ours: our, theirs: their }, 7, choose);
  if (merged === undefined) return wholeFile(state, sides, choices);
  return { text: isOfLines && open.length === 0 ? linesOf(merged.text) : merged.text, open };
}

function jsonIn(text: string): JsonValue | undefined {
  const parsed = parseJsonText(text);
  return "value" in parsed ? parsed.value : undefined;
}

/** A file of lines as a list, which is merged by its elements. */
function listOf(text: string): string {
  const lines = Array.from(recordsIn("x.ndjson", text), ([start, end]) => text.slice(start, end));
  return `[\n${lines.map((line) => line.trim()).join(",\n")}\n]`;
}

function linesOf(list: string): string {
  const lines = Array.from(recordsIn("x.json", list), ([start, end]) => list.slice(start, end));
  const inOne = (text: string) => (text.includes("\n") ? JSON.stringify(JSON.parse(text)) : text);
  return lines.map((text) => `${inOne(text)}\n`).join("");
}

function toldConflict(
  state: DraftState,
  file: string,
  { ours, theirs }: Conflict,
  [mine, other]: readonly (JsonValue | undefined)[],
): TeamConflict {
  const path = (ours ?? theirs) as Path;
  const holder = ours === undefined ? other : mine;
  // Of a list of records.
  const isListed = Array.isArray(holder);
  const record = isListed ? valueAt(holder, path.slice(0, 1)) : holder;
  const within = isListed ? path.slice(1) : path;
  const [before, after] = [theirs && valueAt(other, theirs), ours && valueAt(mine, ours)];
  const own = isJsonObject(record ?? null) ? (record as JsonObject) : {};
  return conflictOf(state, file, own, within, before, after);
}

function conflictOf(
  state: DraftState,
  file: string,
  record: JsonObject,
  path: Path,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): TeamConflict {
  // With the values, so that nothing else is chosen when others have pushed meanwhile.
  const key = sha256(JSON.stringify([file, record.id ?? "", path, before ?? "", after ?? ""]));
  const value =
    path.length === 0
      ? { ...storedValue(state, {}, [""], before, after), place: ["The whole file"] }
      : storedValue(state, record, path, before, after);
  return { key, title: titleOf(state, file, record), value };
}

function titleOf(state: DraftState, file: string, { id, name, modelId, data }: JsonObject): string {
  if (typeof modelId === "string" && isJsonObject(data ?? null)) {
    return summaryOf(state, { id: String(id), modelId, data: data as JsonObject }).title;
  }
  return String(name ?? id ?? file);
}

/** Of a file that one side has removed, or that is not merged by field. */
function wholeFile(
  state: DraftState,
  { file, ours, theirs }: FileSides,
  choices: Choices,
): ReturnType<typeof mergedFile> {
  const record = jsonIn(ours ?? theirs ?? "");
  const own = isJsonObject(record ?? null) ? (record as JsonObject) : {};
  const conflict = conflictOf(state, file, own, [], theirs, ours);
  const choice = choices.get(conflict.key);
  if (choice === undefined) return { text: ours, open: [conflict] };
  return { text: choice === "mine" ? ours : theirs, open: [] };
}

function valueAt(value: JsonValue | undefined, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((holder, step) => {
    if (Array.isArray(holder)) return (holder as readonly JsonValue[])[Number(step)];
    return isJsonObject(holder ?? null) ? (holder as JsonObject)[step] : undefined;
  }, value);
}
