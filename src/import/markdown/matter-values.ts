import { CORE_SCHEMA, load, Type, YAMLException } from "js-yaml";
import { parse, TomlError } from "smol-toml";
import { TOO_DEEP } from "../../folder/json-text.ts";
import { type JsonValue, MAXIMUM_NESTING } from "../../workspace/json.ts";

/** What front matter says. Offsets are those of its source. */
export interface MatterValues {
  readonly value: JsonValue;
  /** X22a: where numbers stay texts. */
  readonly inexact: readonly number[];
}

/** Front matter that cannot be read: why, and at which offset of its source. */
export class MatterFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** X19e: in characters, of the source and of the values, each alias filled in: a few hundred bytes can say gigabytes. */
const MAXIMUM_MATTER = 2 ** 20;

const TOO_LARGE = `front matter has at most ${MAXIMUM_MATTER} characters, also with its aliases filled in`;

function assertSize(source: string): void {
  if (source.length > MAXIMUM_MATTER) throw new MatterFault(TOO_LARGE, 0);
}

/** X22a: whether a number is written as JSON writes it, so that nothing of it is lost. */
function isExact(text: string): boolean {
  const value = Number(text);
  return String(value) === text && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** X22a: a number that stays the text that was written; also as the name of a member. */
class WrittenNumber extends String {}

const NUMBER =
  /^(?:[-+]?(?:0b[01_]+|0o[0-7_]+|0x[\da-f_]+|\d[\d_]*(?:\.[\d_]*)?(?:e[-+]?\d+)?|\.\d[\d_]*(?:e[-+]?\d+)?|\.inf)|\.nan)$/i;

/** X19e: dates stay texts, and tags say nothing. */
const SCHEMA = CORE_SCHEMA.extend({
  implicit: [
    new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (name) => name === "<<" }),
    new Type("tag:yaml.org,2002:int", {
      kind: "scalar",
      resolve: (text) => text !== null && NUMBER.test(text),
      construct: (text) => (isExact(text) ? Number(text) : new WrittenNumber(text)),
    }),
  ],
  explicit: (["scalar", "sequence", "mapping"] as const).flatMap((kind) =>
    ["!", "tag:"].map((tag) => new Type(tag, { kind, multi: true })),
  ),
});

/**
 * Reads YAML, and so JSON too. By js-yaml 4: version 5 refuses lines that are not indented, in which many texts
 * go on.
 */
export function yamlValues(source: string): MatterValues {
  assertSize(source);
  const options = { schema: SCHEMA, maxDepth: MAXIMUM_NESTING, maxTotalMergeKeys: MAXIMUM_MATTER };
  let value: unknown;
  try {
    value = load(source, options);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw yamlFault(source, error);
  }
  const filled = new FilledIn();
  const json = filled.json(value ?? null, 0);
  let last = 0;
  const inexact = Array.from(filled.written, (written) => {
    last = numberOffset(source, `${written}`, last);
    return last;
  });
  return { value: json, inexact };
}

/** Where a number stands that is not in quotes. */
function numberOffset(source: string, number: string, from: number): number {
  for (let at = source.indexOf(number, from); at >= 0; at = source.indexOf(number, at + 1)) {
    if (/[\s,[{:]/.test(source[at - 1] ?? " ")) return at;
  }
  return from;
}

/** Says in plain words what most often hinders reading. */
function yamlFault(source: string, { reason, mark }: YAMLException): MatterFault {
  const offset = Math.min(mark?.position ?? 0, source.length);
  const fault = (message: string) => new MatterFault(message, offset);
  if (reason.startsWith("nesting exceeded")) return fault(TOO_DEEP.message);
  const line = source.slice(source.lastIndexOf("\n", offset - 1) + 1).split(/\r|\n/, 1)[0] ?? "";
  if (reason === "duplicated mapping key") {
    const [, name = line] = /^\s*["']?([^"':]+)/.exec(source.slice(offset)) ?? [];
    return fault(`"${name.trim()}" stands twice`);
  }
  const [, name] = UNQUOTED.exec(line.slice(0, 500)) ?? [];
  return fault(name === undefined ? reason : `${reason}: put the text of "${name}" in quotes`);
}

/** A member whose text has `: ` in it, goes on after a quotation, or begins as no text may. */
const UNQUOTED =
  /^\s*(?:- +)?([^\s:#"'][^:]*):\s+(?:[^\s"'[{|>&*!#].*:(?:\s|$)|[@`%*!&|>].*\S|(?:"[^"]*"|'[^']*'|\[[^\]]*\]|\{[^}]*\})\s*[^\s#,].*)/;

/** Makes JSON of values among which one may be at several places, and in itself. */
class FilledIn {
  /** Numbers that stay texts, each once. */
  readonly written = new Set<WrittenNumber>();
  #left = MAXIMUM_MATTER;

  json(value: unknown, depth: number): JsonValue {
    if (value instanceof WrittenNumber) {
      this.written.add(value);
      return this.#text(`${value}`);
    }
    if (typeof value === "string") return this.#text(value);
    this.#take(1);
    if (typeof value !== "object" || value === null) return value as JsonValue;
    if (depth >= MAXIMUM_NESTING) throw new MatterFault(TOO_DEEP.message, 0);
    if (Array.isArray(value)) return value.map((one) => this.json(one, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.#text(name), this.json(one, depth + 1)]),
    );
  }

  #text(text: string): string {
    this.#take(text.length);
    return text;
  }

  #take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new MatterFault(TOO_LARGE, 0);
  }
}

/** Reads TOML; its dates and times are texts, as they are written. */
export function tomlValues(source: string): MatterValues {
  assertSize(source);
  const options = { integersAsBigInt: "asNeeded", maxDepth: MAXIMUM_NESTING } as const;
  try {
    parse(source, options);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { message, line, column } = error;
    const before = source.split("\n").slice(0, line - 1);
    const offset = before.reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
    const [, reason = message] = /^Invalid TOML document: (.*)/.exec(message) ?? [];
    const at = source.slice(offset).split(/[\r\n]/, 1)[0] ?? "";
    throw new MatterFault(tomlWords(reason, at), offset);
  }
  const { text, inexact } = withQuotedValues(source);
  return { value: new FilledIn().json(parse(text, options), 0), inexact };
}

/** @param line what follows in the line */
function tomlWords(reason: string, line: string): string {
  if (reason.includes("nested")) return TOO_DEEP.message;
  if (reason.startsWith("trying to redefine")) {
    return `"${line.replace(/\s*[=\]].*/, "").replace(/["']/g, "")}" stands twice`;
  }
  if (/^incomplete|in key$/.test(reason)) return "a member of TOML is written name = value";
  const isText = /invalid value|end-of-line|illegal|expected comma/.test(reason);
  return isText ? `${reason}: put a text in quotes` : reason;
}

const TOML_TOKEN =
  /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#.*|[=[\]{},\n]|[^\s=[\]{},"'#]+(?: \d\d:[^\s,\]}#]+)?/g;

/** Valid TOML in which dates, and numbers that would not be written back as they are (X22a), are texts. */
function withQuotedValues(source: string): { text: string; inexact: number[] } {
  const inexact: number[] = [];
  const open: string[] = [];
  let isValue = false;
  const text = source.replace(TOML_TOKEN, (token, offset: number) => {
    switch (token) {
      case "=":
        isValue = true;
        break;
      case "[":
        // Before a key it begins the name of a table.
        if (isValue) open.push(token);
        break;
      case "{":
        open.push(token);
        isValue = false;
        break;
      case "]":
      case "}":
        open.pop();
        isValue = false;
        break;
      case ",":
        isValue = open.at(-1) === "[";
        break;
      case "\n":
        if (open.length === 0) isValue = false;
        break;
      default: {
        if (!isValue || /^(?:["'#]|true$|false$)/.test(token) || isExact(token)) break;
        if (!/^\d+[-:]\d/.test(token)) inexact.push(offset);
        return JSON.stringify(token);
      }
    }
    return token;
  });
  return { text, inexact };
}

/** The offset of the line that names a member of front matter, the least indented one; of none 0. */
export function memberOffset(source: string, name: string): number {
  const quoted = name.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const lines = source.matchAll(
    RegExp(`^([ \\t{]*)(?:\\[\\[?[ \\t]*)?(["']?)${quoted}\\2[ \\t]*[:=.\\]]`, "gm"),
  );
  let [found, indent] = [0, Number.POSITIVE_INFINITY];
  for (const { index, 1: blanks = "" } of lines) {
    if (blanks.length < indent) [found, indent] = [index, blanks.length];
  }
  return found;
}
