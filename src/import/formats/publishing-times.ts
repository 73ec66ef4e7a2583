import { isOfFormat } from "../../fields/formatted.ts";
import type { FoundDocument } from "./found.ts";
import type { Notes } from "./notes.ts";

/** A time as RFC 3339; one without a zone is in UTC, a date its beginning. Undefined: it is none. */
export function timeOf(value: unknown): string | undefined {
  const [, date, time = "00:00", seconds = ":00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)? ?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
      String(value),
    ) ?? [];
  if (date === undefined) return undefined;
  const text = `${date}T${time}${seconds}${zone.toUpperCase().replace(/(\d\d)(\d\d)$/, "$1:$2")}`;
  return isOfFormat("date-time", text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Whether the first of two times is later. */
export function isLater(time: string, than: string): boolean {
  return Date.parse(time) > Date.parse(than);
}

/**
 * A4: when a record is published and until when, by what its source says. What cannot be understood makes
 * it a draft: a record that is kept back by mistake does less harm than one that is published.
 *
 * @param place names the record in a warning.
 */
export function publishingTimes(
  place: string,
  given: { readonly from: unknown; readonly until: unknown },
  notes: Notes,
): Pick<FoundDocument, "draft" | "publishAt" | "unpublishAt"> {
  const isSaid = (value: unknown) => value !== undefined && value !== null && value !== "";
  const [publishAt, unpublishAt] = [timeOf(given.from), timeOf(given.until)];
  const isUnclear = (value: unknown, time: string | undefined) =>
    isSaid(value) && time === undefined;
  if (isUnclear(given.from, publishAt) || isUnclear(given.until, unpublishAt)) {
    notes.warnAt(
      place,
      RECORDS,
      "a time of its publishing that cannot be understood, and which makes it a draft",
    );
    return { draft: true };
  }
  if (publishAt !== undefined && unpublishAt !== undefined && !isLater(unpublishAt, publishAt)) {
    notes.warnAt(
      place,
      RECORDS,
      "an end that is not after its beginning, and which makes it a draft",
    );
    return { draft: true };
  }
  return { publishAt, unpublishAt };
}

const RECORDS = ["record has", "records have"] as const;
