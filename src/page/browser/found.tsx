import type { Answers } from "../queries.ts";
import type { Marks } from "../search-text.ts";
import type { Children } from "./parts.tsx";
import { entryHref, viewHref } from "./router.ts";

export type Match = Answers["search"]["rows"][number];
export type OtherHits = Answers["search"]["others"][number];

/** A text with the words that were found in it. */
function Marked({ text, marks }: { text: string; marks: Marks }) {
  const ends = [0, ...marks.flat(), text.length];
  return ends.slice(1).map((end, at) => {
    const part = text.slice(ends[at], end);
    return at % 2 === 1 ? <mark>{part}</mark> : part;
  });
}

/** The title of what was found and, below it, the text: "Sections › Title (de): … words …". */
export function hitText(
  { title, titleMarks, found }: Pick<Match, "title" | "titleMarks" | "found">,
  otherwise?: Children,
) {
  const { place } = found ?? {};
  const locale = place?.locale === undefined ? "" : ` (${place.locale})`;
  const below = found && (
    <>
      {place && <strong>{place.fields.join(" › ") + locale}: </strong>}
      <Marked text={found.excerpt} marks={found.marks} />
    </>
  );
  return { title: <Marked text={title} marks={titleMarks} />, below: below ?? otherwise };
}

export const KIND_NAMES: Readonly<Record<OtherHits["kind"], string>> = {
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

export function hitHref(kind: OtherHits["kind"], { id, project }: OtherHits["hits"][number]) {
  if (kind === "experience") {
    return viewHref(["projects", project?.id ?? "", "experiences", id]);
  }
  return viewHref([`${kind}s`, ...(kind === "feature" ? [] : [id])]);
}
