import { LineCounter, parseDocument } from "yaml";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { nestsTooDeep } from "../json-text.ts";

export interface MarkdownText {
  readonly matter: JsonObject;
  readonly body: string;
  /** Whether there is front matter in TOML, which is not read. */
  readonly hasToml: boolean;
}

/**
 * Splits a text into its front matter (YAML between lines `---`) and the rest.
 *
 * @throws SvcError `export-invalid`, with the place of a fault; front matter that is not closed is one.
 */
export function splitText(file: string, bytes: Uint8Array): MarkdownText {
  const text = decoded(file, bytes);
  const [marked, yaml = ""] = atStart(/^---[ \t]*\r?\n(.*?)^---[ \t]*\r?$\n?/ms, text);
  if (marked !== undefined) {
    return { matter: parsed(file, yaml), body: text.slice(marked.length), hasToml: false };
  }
  const [toml = ""] = atStart(/^\+\+\+[ \t]*\r?\n.*?^\+\+\+[ \t]*\r?$\n?/ms, text);
  // What is not closed would be public text, and so would a draft.
  const [mark] = /^(?:---|\+\+\+)(?=[ \t]*(?:\r?\n|\r?$))/.exec(text) ?? [];
  if (toml === "" && mark !== undefined) {
    throw invalidText(`${file}:1:1`, `front matter is not closed: there is no second line ${mark}`);
  }
  return { matter: {}, body: text.slice(toml.length), hasToml: toml !== "" };
}

/** Whether a member, in any letter case, says that a text is a draft. */
export function isDraftMember(name: string): boolean {
  return name.toLowerCase() === "draft";
}

/**
 * Whether a text is a draft (X19). What cannot be understood is one, and is given to `onUnclear`: a text
 * that is kept back by mistake does less harm than one that is published.
 */
export function isDraft({ matter, hasToml }: MarkdownText, onUnclear: (name: string) => void) {
  let draft = hasToml;
  for (const [name, value] of Object.entries(matter)) {
    if (!isDraftMember(name) || value === null) continue;
    const said = saysDraft(value);
    if (said === undefined) onUnclear(name);
    if (said !== false) draft = true;
  }
  return draft;
}

function saysDraft(value: JsonValue): boolean | undefined {
  if (typeof value === "number") return value !== 0;
  return typeof value === "object"
    ? undefined
    : DRAFT_WORDS.get(String(value).trim().toLowerCase());
}

const DRAFT_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0"].map((word) => [word, false] as const),
]);

function atStart(pattern: RegExp, text: string): readonly string[] {
  const match = pattern.exec(text);
  return match?.index === 0 ? match : [];
}

function parsed(file: string, yaml: string): JsonObject {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    // The first line is the mark of the front matter.
    const isDeep = error.message.startsWith("Maximum call stack size");
    const why = isDeep ? "front matter is nested too deeply" : error.message;
    throw invalidText(`${file}:${line + 1}:${col}`, why);
  }
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    throw invalidText(file, (error as Error).message);
  }
  if (value === null || value === undefined) return {};
  const json = jsonOf(value);
  if (!isJsonObject(json)) throw invalidText(`${file}:2:1`, "front matter is no map of values");
  if (nestsTooDeep(json))
    throw invalidText(file, "front matter is nested more than 200 levels deep");
  return json;
}

/** YAML has values that JSON has not: those become texts. */
function jsonOf(value: unknown): JsonValue {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, jsonOf(one)]));
  }
  return typeof value === "bigint" || value === undefined ? String(value) : (value as JsonValue);
}

function decoded(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidText(file, "it is not UTF-8");
  }
}

function invalidText(place: string, why: string): SvcError {
  return new SvcError("export-invalid", `${place}: ${why}`, {
    hint: "correct the front matter (YAML between two lines ---); the store was not changed",
  });
}
