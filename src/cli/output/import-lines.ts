import type { FormatReport } from "../../folder/format.ts";
import { counted } from "./counted.ts";
import { printable } from "./printable.ts";

/** How many warnings are listed. */
const MAX_WARNINGS = 10;

/** What an import from another system left out, changed or warns about, as lines of text. */
export function importLines(report: FormatReport): string[] {
  const { leftOut, notCarriedOver, relaxed, unreachable, warnings } = report;
  const [first] = unreachable;
  const carried = Object.entries(notCarriedOver).map(([name, times]) => `${name} (${times})`);
  return [
    ...limited(warnings.map((text) => `warning: ${text}`)),
    ...Object.entries(leftOut).map(([what, count]) => `left out: ${what} (${count})`),
    ...(carried.length > 0 ? [`validations not carried over: ${carried.join(", ")}`] : []),
    ...(first === undefined
      ? []
      : [
          `warning: ${counted(unreachable.length, "entry", "entries")} not served by any experience, e.g. ${first}: unreachable, or more than 5 references away; --roots sets the content types to start from`,
        ]),
    ...relaxed.map(
      ({ model, field, constraint, now, with: lost = [], entries, example }) =>
        `relaxed: ${model}.${field}: ${[constraint, ...lost].join(", ")}${now === undefined ? "" : `, now ${now}`} (violated by ${counted(entries, "entry", "entries")}, e.g. ${example})`,
    ),
  ].map(printable);
}

function limited(lines: readonly string[]): string[] {
  const rest = lines.length - MAX_WARNINGS;
  if (rest <= 1) return [...lines];
  return [...lines.slice(0, MAX_WARNINGS), `warning: and ${rest} more (--json lists all)`];
}
