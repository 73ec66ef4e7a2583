import type { FormatReport } from "../../folder/format.ts";
import { counted } from "./output.ts";
import { printable } from "./printable.ts";

/** Lines of one sort that are shown before the rest is only counted. */
const SHOWN = 10;

/** What became of an export on its way, a line each. */
export function reportLines(report: FormatReport): string[] {
  const { leftOut, notCarriedOver, relaxed, unreachable, warnings } = report;
  const [first] = unreachable;
  const carried = Object.entries(notCarriedOver).map(([name, times]) => `${name} (${times})`);
  return [
    ...shortened(warnings.map((text) => `warning: ${text}`)),
    ...Object.entries(leftOut).map(([what, count]) => `left out: ${what} (${count})`),
    ...(carried.length > 0 ? [`validations that are not carried over: ${carried.join(", ")}`] : []),
    ...(first === undefined
      ? []
      : [
          `warning: ${counted(unreachable.length, "entry", "entries")} shown by no experience, as ${first}: nothing leads there, or more than 5 references; --roots says where to begin`,
        ]),
    ...relaxed.map(
      ({ model, field, constraint, now, with: lost = [], entries, example }) =>
        `relaxed: ${model}.${field}: ${[constraint, ...lost].join(", ")}${now === undefined ? "" : `, now ${now}`} (broken by ${counted(entries, "entry", "entries")}, as ${example})`,
    ),
  ].map(printable);
}

function shortened(lines: readonly string[]): string[] {
  const rest = lines.length - SHOWN;
  if (rest <= 1) return [...lines];
  return [...lines.slice(0, SHOWN), `warning: and ${rest} more of these (--json lists them)`];
}
