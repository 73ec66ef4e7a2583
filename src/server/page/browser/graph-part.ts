import type { ExperienceView, GraphNode, UnresolvedPointer } from "../experience-view.ts";
import { el, svg } from "./element.ts";
import { missingKey, type Placed, placeOnRings } from "./graph-layout.ts";
import { code, emptyState, group, nodeList, rowLink } from "./parts.ts";
import { entryHref } from "./router.ts";
import { windowedList } from "./windowed-list.ts";
import { counted, number, UNRESOLVED_REASONS } from "./words.ts";

const [UNRESOLVED, NODES] = ["Pointers that do not resolve", "Entries by distance"];

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
          items: unresolved,
          row: (pointer) => unresolvedRow(workspace, pointer),
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

/** The maximum number of entries in the picture; more would not be readable. */
const DRAWN = 400;
const REASON_CLASSES = { deleted: "bad", "other-workspace": "away", "too-deep": "warn" };
/** The length of a label in characters, and the maximum width of a character in pixels. */
const [LABEL, LETTER] = [24, 7.5];

/** Entries on rings, with their pointers. Each mark links to its entry, or to the unresolved pointer. */
function graphPicture(workspace: string, experience: ExperienceView) {
  const { placed, missing, radii } = placeOnRings(experience, DRAWN);
  const all = [...placed, ...missing.values()];
  const frame = frameOf(all);
  const tree = all.filter(({ parent }) => parent);
  const drawn = new Set(tree.map(({ key, parent }) => `${parent?.key} ${key}`));
  const others = experience.edges.flatMap(([from, to]) => {
    const [one, other] = [placed[from], placed[to]];
    return one && other && one !== other && !drawn.has(`${one.key} ${other.key}`)
      ? [curve(one, other, "edge is-other")]
      : [];
  });
  const unresolved = experience.unresolved.flatMap((pointer) => {
    const one = placed.find(({ key }) => key === pointer.from);
    const other = missing.get(missingKey(pointer));
    return one && other && other.parent !== one
      ? [curve(one, other, `edge is-${REASON_CLASSES[pointer.reason]}`)]
      : [];
  });
  const name = `The reference graph of ${experience.name}: ${counted(placed.length, "entry", "entries")}, ${counted(missing.size, "target")} not resolved. The lists below have the same content.`;
  return el(
    "div.graph-frame",
    { role: "region", "aria-label": "Reference graph", tabindex: 0 },
    // The sheet is as wide as the frame, so that rings may extend beyond the marks.
    el("div.graph-sheet", graph()),
  );

  function graph() {
    return svg(
      "svg.graph",
      { viewBox: frame.join(" "), width: frame[2], role: "group", "aria-label": name },
      radii.map((radius, depth) => radius > 0 && ring(radius, depth, frame)),
      svg(
        "g",
        others,
        unresolved,
        tree.map((one) =>
          curve(
            one.parent as Placed,
            one,
            `edge ${one.unresolved ? `is-${REASON_CLASSES[one.unresolved.reason]}` : ""}`,
          ),
        ),
      ),
      placed.map((one) => entryMark(workspace, one)),
      [...missing.values()].map((one) => unresolvedMark(workspace, one)),
    );
  }
}

function frameOf(all: readonly Placed[]) {
  const ends = all.flatMap(({ node, unresolved, radius, angle, x, y }) => {
    const text = node?.title ?? unresolved?.title ?? "";
    const reach = radius + 24 + Math.min(text.length, LABEL) * LETTER;
    return [
      [x - 24, y - 24],
      [x + 24, y + 24],
      [reach * Math.sin(angle), -reach * Math.cos(angle)],
    ];
  });
  const [xs, ys] = [ends.map(([x = 0]) => x), ends.map(([, y = 0]) => y)];
  const [left, top] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  const width = Math.max(320, Math.ceil(Math.max(...xs)) - left);
  return [left, top, width, Math.ceil(Math.max(...ys)) - top];
}

function ring(radius: number, depth: number, [left = 0, top = 0, width = 0, height = 0]: number[]) {
  // The number is on the side where the picture has the most room.
  const sides = [
    [-top, 0, -1],
    [left + width, 1, 0],
    [top + height, 0, 1],
    [-left, -1, 0],
  ] as const;
  const [, x, y] = sides.reduce((best, side) => (side[0] > best[0] ? side : best));
  const place = { x: x * radius, y: y * radius, dy: "0.35em", "text-anchor": "middle" };
  return svg(
    "g.ring",
    { "aria-hidden": "true" },
    svg("circle", { r: Math.round(radius) }),
    depth > 0 && svg("text", place, String(depth)),
  );
}

function curve(from: Placed, to: Placed, kind: string) {
  const middle = (from.radius + to.radius) / 2;
  const at = (angle: number) =>
    `${Math.round(middle * Math.sin(angle))},${Math.round(-middle * Math.cos(angle))}`;
  const [start, end] = [from, to].map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`);
  return svg("path", { class: kind, d: `M${start}C${at(from.angle)} ${at(to.angle)} ${end}` });
}

function entryMark(workspace: string, one: Placed) {
  const { id, title, modelKey, depth, errors } = one.node as GraphNode;
  const kind = errors > 0 ? "is-bad" : depth === 0 ? "is-first" : "";
  const name = `${title}, ${modelKey ?? "model deleted"}, distance ${depth}`;
  const shape = svg("circle", { r: depth === 0 ? 8 : 5.5 });
  return mark(one, entryHref(workspace, id), kind, name, svg("title", `${name} (${id})`), shape);
}

function unresolvedMark(workspace: string, one: Placed) {
  const { from, path, title, reason } = one.unresolved as UnresolvedPointer;
  const name = `${title}, ${UNRESOLVED_REASONS[reason]}`;
  const href = entryHref(workspace, from, path);
  const kind = `is-unresolved is-${REASON_CLASSES[reason]}`;
  const shape = svg("path", { d: "M-4.500-4.500l9 9m0-9l-9 9" });
  return mark(one, href, kind, `Not resolved: ${name}`, svg("title", name), shape);
}

function mark(one: Placed, href: string, kind: string, name: string, ...shapes: Element[]) {
  const at = `translate(${Math.round(one.x)} ${Math.round(one.y)})`;
  return svg(
    "a",
    { class: `node ${kind}`, href, "data-key": one.key, "aria-label": name, transform: at },
    shapes,
    label(one, (one.node ?? one.unresolved)?.title ?? ""),
  );
}

/** A label along the radius, outwards, never upside down. */
function label(one: Placed, text: string) {
  const short = shortened(text);
  if (one.radius === 0) return svg("text", { y: -16, "text-anchor": "middle" }, short);
  const degrees = (one.angle * 180) / Math.PI - 90;
  const isLeft = one.angle > Math.PI;
  const turn = Math.round(isLeft ? degrees + 180 : degrees);
  return svg(
    "text",
    {
      x: isLeft ? -11 : 11,
      dy: "0.35em",
      "text-anchor": isLeft ? "end" : "start",
      transform: `rotate(${turn})`,
    },
    short,
  );
}

function shortened(text: string) {
  if (text.length <= LABEL) return text;
  const part = [...text].slice(0, LABEL).join("");
  return `${part.replace(/[\s,;:–—-]+\S*$/, "") || part}…`;
}
