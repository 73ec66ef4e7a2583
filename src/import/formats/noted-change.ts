import type { Notes } from "./notes.ts";
import type { Changed } from "./stored-data.ts";

/** X24: says of a field how many values it takes in another form than they have, or not at all, and where. */
export function noteChange({ field, change }: Changed, at: string, notes: Notes): void {
  const { place = "", definition, basis = "", isGiven } = field;
  const type = `${definition.type}${definition.repeatable ? "[]" : ""}`;
  const how = isGiven ? "" : `; --types ${place}=<type> decides otherwise`;
  const which = `${place} (${type}, ${basis}${how})`;
  if (change === "outlier") {
    const what = `not fit ${which}, stored as written and refused by svc check`;
    notes.warnAt(at, ["value does", "values do"], what);
  } else if (change === "blank") {
    notes.leaveOut("empty values in fields that are no text", 1, place);
  } else if (!isGiven && change === "text") {
    notes.warnAt(at, ["value becomes", "values become"], `text as written in ${which}`);
  } else if (!isGiven) {
    notes.warnAt(at, ["single value becomes", "single values become"], `a list in ${which}`);
  }
}
