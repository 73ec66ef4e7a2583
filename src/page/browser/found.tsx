import type { RecordHit, RecordHits } from "../record-hits.ts";
import type { Match } from "../search.ts";
import type { Marks } from "../search-text.ts";
import { entryHref, viewHref } from "./router.ts";

/** A text with the words that were found in it. */
export function Marked({ text, marks }: { text: string; marks: Marks }) {
  const ends = [0, ...marks.flat(), text.length];
  return ends.slice(1).map((end, at) => {
    const part = text.slice(ends[at], end);
    return at % 2 === 1 ? <mark>{part}</mark> : part;
  });
}

/** What was found of an entry or another record, beside its title: "Sections › Title (de): … words …". */
export function Found({ hit: { found } }: { hit: Pick<Match, "found"> }) {
  if (found === undefined) return null;
  const { excerpt, marks, place } = found;
  const locale = place?.locale === undefined ? "" : ` (${place.locale})`;
  return (
    <>
      {place && <strong>{place.fields.join(" › ") + locale}: </strong>}
      <Marked text={excerpt} marks={marks} />
    </>
  );
}

/** The names of the kinds of records. */
export const KIND_NAMES: Readonly<Record<RecordHits["kind"], string>> = {
  experience: "Experiences",
  project: "Projects",
  asset: "Assets",
  model: "Models",
  block: "Blocks",
  feature: "Features",
};

export function matchHref({ id, found }: Match) {
  return entryHref(id, found?.place?.path);
}

export function hitHref(kind: RecordHits["kind"], { id, project }: RecordHit) {
  if (kind === "experience") {
    return viewHref(["projects", project?.id ?? "", "experiences", id]);
  }
  return viewHref([`${kind}s`, ...(kind === "feature" ? [] : [id])]);
}
