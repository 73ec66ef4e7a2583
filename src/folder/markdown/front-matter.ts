import { CORE_SCHEMA, load, Type, YAMLException } from "js-yaml";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAXIMUM_NESTING,
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

const START: Position = { line: 1, column: 1 };
const IN_MATTER: Position = { line: 2, column: 1 };

/**
 * Splits a text into its front matter (YAML between lines `---`) and the rest.
 *
 * @throws FaultyText; front matter that is not closed is a fault.
 */
export function splitText(bytes: Uint8Array): MarkdownText {
  const text = decoded(bytes);
  const [first = "", mark] = /^(---|\+\+\+)[ \t]*(?:\r?\n|\r?$)/.exec(text) ?? [];
  if (mark === undefined) return { matter: {}, body: text, hasToml: false };
  const hasToml = mark === "+++";
  const last = hasToml ? /^\+\+\+[ \t]*\r?$\n?/gm : /^(?:---|\.\.\.)[ \t]*\r?$\n?/gm;
  last.lastIndex = first.length;
  const end = first.endsWith("\n") ? last.exec(text) : null;
  // X19d: what is not closed would be public text, and so would a draft.
  if (end === null) {
    throw new FaultyText(`front matter is not closed: there is no second line ${mark}`, START);
  }
  const matter = hasToml ? {} : parsed(text.slice(first.length, end.index));
  return { matter, body: text.slice(end.index + end[0].length), hasToml };
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

/** X19e: in characters, of the YAML and of the values, each alias filled in: a few hundred bytes can say gigabytes. */
const MAXIMUM_MATTER = 2 ** 20;

const TOO_LARGE = `front matter has at most ${MAXIMUM_MATTER} characters, also with its aliases filled in`;

/** X19e: dates stay texts, and tags say nothing. */
const SCHEMA = CORE_SCHEMA.extend({
  implicit: [
    new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (name) => name === "<<" }),
  ],
  explicit: (["scalar", "sequence", "mapping"] as const).flatMap((kind) =>
    ["!", "tag:"].map((tag) => new Type(tag, { kind, multi: true })),
  ),
});

/** By js-yaml 4: version 5 refuses lines that are not indented, in which many texts go on. */
function parsed(yaml: string): JsonObject {
  if (yaml.length > MAXIMUM_MATTER) throw new FaultyText(TOO_LARGE, IN_MATTER);
  const options = { schema: SCHEMA, maxDepth: MAXIMUM_NESTING, maxTotalMergeKeys: MAXIMUM_MATTER };
  let value: unknown;
  try {
    value = load(yaml, options);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const isDeep = reason.startsWith("nesting exceeded");
    throw new FaultyText(isDeep ? TOO_DEEP.message : reason, {
      // The first line is the mark of the front matter.
      line: (mark?.line ?? 0) + 2,
      column: (mark?.column ?? 0) + 1,
    });
  }
  if (value === null || value === undefined) return {};
  const json = new FilledIn().json(value, 1);
  if (!isJsonObject(json)) throw new FaultyText("front matter is no map of values", IN_MATTER);
  return json;
}

/** Makes JSON of values among which one may be at several places, and in itself. */
class FilledIn {
  #left = MAXIMUM_MATTER;

  json(value: unknown, depth: number): JsonValue {
    // YAML has values that JSON has not: those become texts.
    if (typeof value === "number") return Number.isFinite(value) ? value : this.#text(`${value}`);
    if (typeof value === "string") return this.#text(value);
    this.#take(1);
    if (typeof value !== "object" || value === null) return value as JsonValue;
    if (depth > MAXIMUM_NESTING) throw new FaultyText(TOO_DEEP.message, IN_MATTER);
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
    if (this.#left < 0) throw new FaultyText(TOO_LARGE, IN_MATTER);
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FaultyText("it is not UTF-8");
  }
}
