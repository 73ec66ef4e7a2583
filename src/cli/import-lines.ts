import type { FormatReport } from "../folder/format.ts";
import { counted } from "./output.ts";
import { printable } from "./printable.ts";

/** Lines of one sort that are shown before the rest is only counted. */
const SHOWN = 10;

/** What became of an export on its way, a line each. */
export function reportLines(report: FormatReport): string[] {
  const { leftOut, notCarriedOver, relaxed, unreachable, warnings } = report;
  const carried = Object.entries(notCarriedOver).map(([name, times]) => `${name} (${times})`);
  return [
    ...shortened(warnings.map((text) => `warning: ${text}`)),
    ...Object.entries(leftOut).map(([what, count]) => `left out: ${what} (${count})`),
    ...(carried.length > 0 ? [`validations that are not carried over: ${carried.join(", ")}`] : []),
    ...(unreachable > 0
      ? [
          `${counted(unreachable, "entry", "entries")} can be reached from no experience: --roots says where to begin`,
        ]
      : []),
    ...relaxed.map(
      ({ model, field, constraint, now, entries, example }) =>
        `relaxed: ${model}.${field}: ${constraint}${now === undefined ? "" : `, now ${now}`} (broken by ${counted(entries, "entry", "entries")}, as ${example})`,
    ),
  ].map(printable);
}

function shortened(lines: readonly string[]): string[] {
  const rest = lines.length - SHOWN;
  if (rest <= 1) return [...lines];
  return [...lines.slice(0, SHOWN), `warning: and ${rest} more of these (--json lists them)`];
}
