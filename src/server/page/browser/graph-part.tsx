import type { VNode } from "preact";
import type { ExperienceView, GraphNode, UnresolvedPointer } from "../experience-view.ts";
import { missingKey, type Placed, placeOnRings } from "./graph-layout.ts";
import { EmptyState, Group, NodeList, RowLink } from "./parts.tsx";
import { entryHref } from "./router.ts";
import { WindowedList } from "./windowed-list.tsx";
import { counted, number, UNRESOLVED_REASONS } from "./words.ts";

const [UNRESOLVED, NODES] = ["Pointers that do not resolve", "Entries by distance"];

type Graph = { experience: ExperienceView };

/** The references of an experience: a picture where there is room for it, and lists. */
export function GraphPart({ experience }: Graph) {
  const { nodes, unresolved } = experience;
  if (nodes.length === 0) {
    return (
      <EmptyState title="There is no graph">
        <p>The experience has no content.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Picture experience={experience} />
      {nodes.length > DRAWN && (
        <p class="soft">
          The {number(DRAWN)} nearest of {counted(nodes.length, "entry", "entries")} are drawn.
        </p>
      )}
      {unresolved.length > 0 && (
        <Group name={UNRESOLVED} title={UNRESOLVED} beside={number(unresolved.length)}>
          <WindowedList
            label={UNRESOLVED}
            items={unresolved}
            row={(pointer) => (
              <UnresolvedRow
                pointer={pointer}
                from={nodes.find(({ id }) => id === pointer.from)?.title ?? pointer.from}
              />
            )}
          />
        </Group>
      )}
      <Group name={NODES} title={NODES} beside={number(nodes.length)}>
        <NodeList label={NODES} nodes={nodes} />
      </Group>
    </>
  );
}

function Legend({ unresolved }: { unresolved: readonly UnresolvedPointer[] }) {
  const reasons = [...new Set(unresolved.map(({ reason }) => reason))];
  return (
    <figcaption class="legend">
      <span>
        <span class="dot is-first" />
        content of a step
      </span>
      <span>
        <span class="dot" />
        reference; the number is its distance
      </span>
      {reasons.map((reason) => (
        <span>
          <span class={`cross is-${REASON_CLASSES[reason]}`}>×</span>
          {UNRESOLVED_REASONS[reason]}
        </span>
      ))}
    </figcaption>
  );
}

function UnresolvedRow({
  pointer,
  from,
}: {
  pointer: UnresolvedPointer;
  /** The title of the entry that has it. */
  from: string;
}) {
  const { path, target, title, reason } = pointer;
  return (
    <RowLink
      href={entryHref(pointer.from, path)}
      title={title === target ? <code>{target}</code> : title}
      below={
        <>
          in <bdi>{from}</bdi>
        </>
      }
      beside={<span class={`tag is-${REASON_CLASSES[reason]}`}>{UNRESOLVED_REASONS[reason]}</span>}
    />
  );
}

/** The maximum number of entries in the picture; more would not be readable. */
const DRAWN = 400;
const REASON_CLASSES = { deleted: "bad", "other-workspace": "away", "too-deep": "warn" };
/** The length of a label in characters, and the maximum width of a character in pixels. */
const [LABEL, LETTER] = [24, 8];

/** Entries on rings, with their pointers. Each mark links to its entry, or to the unresolved pointer. */
function Picture({ experience }: Graph) {
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
  return (
    <figure class="graph-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a picture is no fieldset. */}
      <svg class="graph" viewBox={frame.join(" ")} width={frame[2]} role="group" aria-label={name}>
        {radii.map((radius, depth) => radius > 0 && ring(radius, depth, frame))}
        <g>
          {others}
          {unresolved}
          {tree.map((one) =>
            curve(
              one.parent as Placed,
              one,
              `edge ${one.unresolved ? `is-${REASON_CLASSES[one.unresolved.reason]}` : ""}`,
            ),
          )}
        </g>
        {placed.map((one) => entryMark(one))}
        {[...missing.values()].map((one) => unresolvedMark(one))}
      </svg>
      <Legend unresolved={experience.unresolved} />
    </figure>
  );
}

/** The picture's left and top, width and height: all marks and labels, and not less than a sheet. */
function frameOf(all: readonly Placed[]) {
  const ends = all.flatMap(({ node, unresolved, radius, angle, x, y }) => {
    const text = node?.title ?? unresolved?.title ?? "";
    const length = Math.min(text.length, LABEL) * LETTER;
    if (radius === 0) return [-1, 1].map((side) => [(side * length) / 2 + side * 24, side * 48]);
    const reach = radius + 24 + length;
    return [
      [x - 24, y - 24],
      [x + 24, y + 24],
      [reach * Math.sin(angle), -reach * Math.cos(angle)],
    ];
  });
  const [xs, ys] = [ends.map(([x = 0]) => x), ends.map(([, y = 0]) => y)];
  const [left, top] = [Math.floor(Math.min(-160, ...xs)), Math.floor(Math.min(...ys))];
  return [left, top, Math.ceil(Math.max(160, ...xs)) - left, Math.ceil(Math.max(...ys)) - top];
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
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it is not focusable.
    <g class="ring" aria-hidden="true">
      <circle r={Math.round(radius)} />
      {depth > 0 && <text {...place}>{String(depth)}</text>}
    </g>
  );
}

function curve(from: Placed, to: Placed, kind: string) {
  const middle = (from.radius + to.radius) / 2;
  const at = (angle: number) =>
    `${Math.round(middle * Math.sin(angle))},${Math.round(-middle * Math.cos(angle))}`;
  const [start, end] = [from, to].map(({ x, y }) => `${Math.round(x)},${Math.round(y)}`);
  return <path class={kind} d={`M${start}C${at(from.angle)} ${at(to.angle)} ${end}`} />;
}

function entryMark(one: Placed) {
  const { id, title, modelKey, depth, errors } = one.node as GraphNode;
  const kind = errors > 0 ? "is-bad" : depth === 0 ? "is-first" : "";
  const name = `${title}, ${modelKey ?? "model deleted"}, distance ${depth}`;
  const shape = <circle r={depth === 0 ? 8 : 5.5} />;
  return mark(one, entryHref(id), kind, name, <title>{`${name} (${id})`}</title>, shape);
}

function unresolvedMark(one: Placed) {
  const { from, path, title, reason } = one.unresolved as UnresolvedPointer;
  const name = `${title}, ${UNRESOLVED_REASONS[reason]}`;
  const href = entryHref(from, path);
  const kind = `is-unresolved is-${REASON_CLASSES[reason]}`;
  const shape = <path d="M-4.500-4.500l9 9m0-9l-9 9" />;
  return mark(one, href, kind, `Not resolved: ${name}`, <title>{name}</title>, shape);
}

function mark(one: Placed, href: string, kind: string, name: string, ...shapes: VNode[]) {
  const place = { transform: `translate(${Math.round(one.x)} ${Math.round(one.y)})` };
  return (
    <a class={`node ${kind}`} href={href} key={one.key} aria-label={name} {...place}>
      {shapes}
      {label(one, (one.node ?? one.unresolved)?.title ?? "")}
    </a>
  );
}

/** A label along the radius, outwards, never upside down. */
function label(one: Placed, text: string) {
  const short = shortened(text);
  if (one.radius === 0)
    return (
      <text y={-16} text-anchor="middle">
        {short}
      </text>
    );
  const degrees = (one.angle * 180) / Math.PI - 90;
  const isLeft = one.angle > Math.PI;
  const turn = Math.round(isLeft ? degrees + 180 : degrees);
  return (
    <text
      x={isLeft ? -11 : 11}
      dy="0.35em"
      text-anchor={isLeft ? "end" : "start"}
      transform={`rotate(${turn})`}
    >
      {short}
    </text>
  );
}

function shortened(text: string) {
  if (text.length <= LABEL) return text;
  const part = [...text].slice(0, LABEL).join("");
  return `${part.replace(/[\s,;:–—-]+\S*$/, "") || part}…`;
}
