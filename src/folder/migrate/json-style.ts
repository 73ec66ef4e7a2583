import type { JsonValue } from "../../workspace/json.ts";

/** What all texts of a file have in common. */
export interface FileStyle {
  readonly indent: string;
  readonly eol: string;
}

/** Once a file: it searches the whole text. */
export function fileStyle(file: string): FileStyle {
  return {
    indent: /\n([ \t]+)\S/.exec(file)?.[1] ?? "  ",
    eol: file.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** How a JSON text is written. */
export interface JsonStyle extends FileStyle {
  /** Whether the text has several lines. */
  readonly hasLines: boolean;
  /** After a colon, and after a comma on the same line. */
  readonly space: string;
  /** Within the braces of an object on one line. */
  readonly pad?: string;
}

/** @param file the style of the file of which the text is a part. */
export function textStyle(text: string, file: FileStyle): JsonStyle {
  return {
    ...file,
    hasLines: /\n\s*\S/.test(text),
    space: !/":\S/.test(text) ? " " : "",
  };
}

/** The white space before a value, without comments and empty lines. */
export function leadingIn(lead: string): string {
  return /\r?\n[ \t]*$/.exec(lead)?.[0] ?? /[ \t]*$/.exec(lead)?.[0] ?? "";
}

/** @param leading the text before the value. */
export function printed(value: JsonValue, style: JsonStyle, leading: string): string {
  if (!style.hasLines) return compact(value, style);
  const line = leading.slice(leading.lastIndexOf("\n") + 1);
  const indentation = /^[ \t]*/.exec(line)?.[0] ?? "";
  return JSON.stringify(value, null, style.indent).replaceAll("\n", style.eol + indentation);
}

function compact(value: JsonValue, style: JsonStyle): string {
  const { space, pad = "" } = style;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const comma = `,${space}`;
  if (Array.isArray(value)) return `[${value.map((one) => compact(one, style)).join(comma)}]`;
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${space}${compact(one as JsonValue, style)}`,
  );
  return members.length === 0 ? "{}" : `{${pad}${members.join(comma)}${pad}}`;
}
