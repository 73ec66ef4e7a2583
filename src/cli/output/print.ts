import { styleText } from "node:util";
import { printable, withoutCommands } from "../../workspace/printable.ts";
import { MAX_SHOWN, shortened } from "../../workspace/shortened.ts";

/**
 * P13b: the one place through which commands print. Text comes from contents, hosts and paths: what acts
 * in a terminal or in the log of GitHub is what svc itself marks as its own, and nothing else.
 */

/**
 * Before the few sequences of svc. Contents cannot know it, and it is never printed. `node:crypto` would
 * take a tenth of the start.
 */
const OWN = `\u001b${Math.random()}`;

/** Behind it: the style of a terminal, or a mark of a workflow command. */
const SEQUENCE = /^(?:\[\d+m|::)/;

/** Coloured if the stream is a terminal and `NO_COLOR` is not set. */
export function styled(
  style: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream,
): string {
  const [before = "", after = ""] = styleText(style, "\n", { stream }).split("\n");
  return before === "" ? text : `${OWN}${before.slice(1)}${text}${OWN}${after.slice(1)}`;
}

/** A command of a GitHub workflow, whose parts are escaped already: `::error file=a.json::message`. */
export function workflowCommand(head: string, message: string): string {
  return `${OWN}::${head}${OWN}::${message}`;
}

/** Prints lines; a line end in one of them starts no line. */
export function printLines(stream: NodeJS.WritableStream, lines: readonly string[]): void {
  stream.write(`${lines.map(inertLine).join("\n")}\n`);
}

/** Prints a value as JSON on one line; what is escaped in it is the same text to readers. */
export function printJson(value: unknown): void {
  process.stdout.write(`${inert(JSON.stringify(value), true)}\n`);
}

/** Prints a file's text, byte for byte unless people read it. */
export function printFile(text: string): void {
  const lines = text.replace(/\n$/, "").split("\n");
  if (process.stdout.isTTY) printLines(process.stdout, lines);
  else process.stdout.write(`${lines.join("\n")}\n`);
}

function inertLine(line: string): string {
  const [first = "", ...rest] = line.split(OWN);
  const parts = rest.map((part) => {
    const [own = ""] = SEQUENCE.exec(part) ?? [];
    return { own: own.startsWith("[") ? `\u001b${own}` : own, text: part.slice(own.length) };
  });
  const all = [{ own: "", text: first }, ...parts];
  // `::name value::text`, in parts too.
  const isCommand =
    (all
      .map(({ text }) => text)
      .join("\0")
      .match(/::/g)?.length ?? 0) > 1;
  return all.map(({ own, text }) => own + inert(shortValues(text), isCommand)).join("");
}

/** Without terminal sequences, directions of text, and what GitHub takes for a command. */
function inert(text: string, isCommand: boolean): string {
  return withoutCommands(printable(text), isCommand);
}

const MAX_LINE = 4_000;

/** With quoted values of at most 200 characters. */
function shortValues(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  const parts = shortened(text, MAX_LINE).split('"');
  return parts.map((part, at) => (at % 2 === 0 ? part : shortened(part, MAX_SHOWN))).join('"');
}
