import {
  type Document,
  isAlias,
  isCollection,
  isNode,
  LineCounter,
  parseDocument,
  visit,
} from "yaml";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAXIMUM_NESTING,
  nestsTooDeep,
} from "../../workspace/json.ts";
import { TOO_DEEP } from "../json-text.ts";
import type { Position } from "../text-positions.ts";

export interface MarkdownText {
  readonly matter: JsonObject;
  readonly body: string;
  /** Whether there is front matter in TOML, which is not read. */
  readonly hasToml: boolean;
}

/** A text that cannot be imported: why, and where in it. */
export class FaultyText extends Error {
  readonly at: Position | undefined;

  constructor(message: string, at?: Position) {
    super(message);
    this.at = at;
  }
}

/**
 * Splits a text into its front matter (YAML between lines `---`) and the rest.
 *
 * @throws FaultyText; front matter that is not closed is a fault.
 */
export function splitText(bytes: Uint8Array): MarkdownText {
  const text = decoded(bytes);
  const [marked, yaml = ""] = atStart(/^---[ \t]*\r?\n(.*?)^---[ \t]*\r?$\n?/ms, text);
  if (marked !== undefined) {
    return { matter: parsed(yaml), body: text.slice(marked.length), hasToml: false };
  }
  const [toml = ""] = atStart(/^\+\+\+[ \t]*\r?\n.*?^\+\+\+[ \t]*\r?$\n?/ms, text);
  // X19d: what is not closed would be public text, and so would a draft.
  const [mark] = /^(?:---|\+\+\+)(?=[ \t]*(?:\r?\n|\r?$))/.exec(text) ?? [];
  if (toml === "" && mark !== undefined) {
    throw new FaultyText(`front matter is not closed: there is no second line ${mark}`, {
      line: 1,
      column: 1,
    });
  }
  return { matter: {}, body: text.slice(toml.length), hasToml: toml !== "" };
}

/** Whether a member, in any letter case, says that a text is a draft. */
export function isDraftMember(name: string): boolean {
  return name.toLowerCase() === "draft";
}

/**
 * Whether a text is a draft (X19c). What cannot be understood is one, and is given to `onUnclear`: a text
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

function parsed(yaml: string): JsonObject {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const fault = (message: string, at = 0) => {
    const { line, col: column } = lines.linePos(at);
    // The first line is the mark of the front matter.
    return new FaultyText(message, { line: line + 1, column });
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const isDeep = error.message.startsWith("Maximum call stack size");
    throw fault(isDeep ? TOO_DEEP.message : error.message, error.pos[0]);
  }
  const { wrong, alias } = surveyed(document);
  if (wrong !== undefined) throw fault(wrong.message, wrong.at);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAXIMUM_COPIES });
  } catch {
    throw fault(`aliases make more than ${MAXIMUM_COPIES} copies of a value`, alias);
  }
  if (value === null || value === undefined) return {};
  const json = jsonOf(value);
  if (!isJsonObject(json)) throw fault("front matter is no map of values");
  // An alias may stand in the value that it copies.
  if (nestsTooDeep(json)) throw fault(TOO_DEEP.message, alias);
  return json;
}

/** A few hundred bytes of aliases of aliases would become gigabytes. */
const MAXIMUM_COPIES = 100;

/** The first fault, and the place of the first alias. */
function surveyed(document: Document.Parsed) {
  const anchors = new Map<string, unknown>();
  let alias: number | undefined;
  let wrong: { readonly message: string; readonly at: number | undefined } | undefined;
  visit(document, (_, node, path) => {
    if (!isNode(node)) return undefined;
    const at = node.range?.[0];
    if (isAlias(node)) {
      alias ??= at;
      const { source } = node;
      if (!anchors.has(source)) wrong = { message: `there is no &${source} before this alias`, at };
      else if (path.includes(anchors.get(source) as (typeof path)[number])) {
        wrong = { message: `the value of &${source} is in itself`, at };
      }
    } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isCollection(node) && path.filter(isCollection).length >= MAXIMUM_NESTING) {
      wrong = { message: TOO_DEEP.message, at };
    }
    return wrong && visit.BREAK;
  });
  return { wrong, alias };
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

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FaultyText("it is not UTF-8");
  }
}
