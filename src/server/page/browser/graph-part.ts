import type { ExperienceView, UnresolvedPointer } from "../experience-view.ts";
import { el } from "./element.ts";
import { DRAWN, graphPicture, REASON_CLASSES } from "./graph-picture.ts";
import { code, emptyState, group, nodeList, ROW, rowLink } from "./parts.ts";
import { entryHref } from "./router.ts";
import { windowedList } from "./windowed-list.ts";
import { counted, number, UNRESOLVED_REASONS } from "./words.ts";

const [UNRESOLVED, NODES] = ["Pointers that do not resolve", "Entries by distance"];

/** The reference graph of an experience, as a picture and as lists. */
export function graphPart(workspace: string, experience: ExperienceView) {
  const { nodes, unresolved } = experience;
  if (nodes.length === 0) return emptyState("There is no graph", "The experience has no content.");
  return [
    graphPicture(workspace, experience),
    legend(unresolved),
    nodes.length > DRAWN &&
      el(
        "p.soft",
        `The ${number(DRAWN)} nearest of ${counted(nodes.length, "entry", "entries")} are shown.`,
      ),
    unresolved.length > 0 &&
      group(
        UNRESOLVED,
        UNRESOLVED,
        number(unresolved.length),
        windowedList({
          label: UNRESOLVED,
          count: unresolved.length,
          height: ROW,
          row: (index) => unresolvedRow(workspace, unresolved[index] as UnresolvedPointer),
        }),
      ),
    group(NODES, NODES, number(nodes.length), nodeList(workspace, NODES, nodes)),
  ];
}

function legend(unresolved: readonly UnresolvedPointer[]) {
  const reasons = [...new Set(unresolved.map(({ reason }) => reason))];
  return el(
    "ul.legend",
    el("li", el("span.dot.is-first"), "content of a step"),
    el("li", el("span.dot"), "reference; the number is its distance"),
    reasons.map((reason) =>
      el("li", el(`span.cross.is-${REASON_CLASSES[reason]}`, "×"), UNRESOLVED_REASONS[reason]),
    ),
  );
}

function unresolvedRow(
  workspace: string,
  { from, path, target, title, reason }: UnresolvedPointer,
) {
  const name = title === target ? code(target) : title;
  const tag = el(`span.tag.is-${REASON_CLASSES[reason]}`, UNRESOLVED_REASONS[reason]);
  return rowLink(
    entryHref(workspace, from, path),
    name,
    ["from ", code(from), " ", code(path)],
    tag,
  );
}
