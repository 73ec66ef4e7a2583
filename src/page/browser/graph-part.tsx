import type { ExperienceView, GraphNode, UnresolvedPointer } from "../experience-view.ts";
import { EmptyState, Group, NodeList, RowLink } from "./parts.tsx";
import { entryHref } from "./router.ts";
import { WindowedList } from "./windowed-list.tsx";
import { counted, number, UNRESOLVED_REASONS } from "./words.ts";

const [UNRESOLVED, NODES] = ["Pointers that do not resolve", "Entries by distance"];
const REASON_CLASSES = { deleted: "bad", "other-workspace": "away", "too-deep": "warn" };

type Graph = { experience: ExperienceView };

/** The references of an experience: a picture of the nearest entries, and lists of all. */
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

function UnresolvedRow({
  pointer: { from: id, path, target, title, reason },
  from,
}: {
  pointer: UnresolvedPointer;
  /** The title of the entry that has it. */
  from: string;
}) {
  return (
    <RowLink
      href={entryHref(id, path)}
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
/** In pixels: from column to column, and from row to row. */
const [COLUMN, ROW] = [210, 26];
/** The length of a label in characters, and the width of a character in pixels, about. */
const [LABEL, LETTER] = [18, 8];

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly shown: GraphNode | UnresolvedPointer;
}

/** Entries in columns by distance, with their pointers. Each links to its entry, or to the unresolved pointer. */
function Picture({ experience: { name, nodes, edges, unresolved } }: Graph) {
  const rows: number[] = [];
  const place = (shown: Placed["shown"], column: number): Placed => {
    const row = (rows[column] ?? 0) + 1;
    rows[column] = row;
    return { x: column * COLUMN, y: (row + 0.5) * ROW, shown };
  };
  const placed = nodes.slice(0, DRAWN).map((node) => place(node, node.depth));
  const byId = new Map(nodes.slice(0, DRAWN).map(({ id }, at) => [id, placed[at] as Placed]));
  const missing = new Map<string, Placed>();
  const lines = edges.flatMap(([from, to]) => line(placed[from], placed[to]));
  for (const pointer of unresolved) {
    const from = byId.get(pointer.from);
    if (from === undefined) continue;
    const to = missing.get(pointer.target) ?? place(pointer, from.x / COLUMN + 1);
    missing.set(pointer.target, to);
    lines.push(...line(from, to));
  }
  const size = { width: rows.length * COLUMN, height: (Math.max(...rows) + 1) * ROW };
  const label = `The reference graph of ${name}: ${counted(placed.length, "entry", "entries")}, ${counted(missing.size, "target")} not resolved. The lists below have the same content.`;
  return (
    <div class="graph-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: a picture is no fieldset. */}
      <svg class="graph" {...size} role="group" aria-label={label}>
        {rows.map((_, depth) => (
          <text class="distance" x={depth * COLUMN} y={16}>
            {depth === 0 ? "Steps" : depth}
          </text>
        ))}
        {lines}
        {[...placed, ...missing.values()].map(mark)}
      </svg>
    </div>
  );
}

/** To an entry that is not farther away it is faint. */
function line(from: Placed | undefined, to: Placed | undefined) {
  if (from === undefined || to === undefined || from === to) return [];
  const [start, end] = [from.x + labelOf(from).length * LETTER, to.x - 6];
  const bend = COLUMN / 4;
  const kind = `edge ${kindOf(to.shown)} ${to.x > from.x ? "" : "is-other"}`;
  const curve = `${start + bend},${from.y} ${end - bend},${to.y}`;
  return [<path class={kind} d={`M${start},${from.y}C${curve} ${end},${to.y}`} />];
}

function kindOf(shown: Placed["shown"]) {
  if ("reason" in shown) return `is-${REASON_CLASSES[shown.reason]}`;
  return shown.errors > 0 ? "is-bad" : "";
}

function mark({ x, y, shown }: Placed) {
  const isMissing = "reason" in shown;
  const name = isMissing
    ? `Not resolved: ${shown.title}, ${UNRESOLVED_REASONS[shown.reason]}`
    : `${shown.title}, ${shown.modelKey ?? "model deleted"}, distance ${shown.depth}`;
  return (
    <a
      class={`node ${kindOf(shown)}`}
      href={isMissing ? entryHref(shown.from, shown.path) : entryHref(shown.id)}
      aria-label={name}
    >
      <title>{name}</title>
      <text x={x} y={y} dy="0.35em">
        {labelOf({ shown })}
      </text>
    </a>
  );
}

function labelOf({ shown }: Pick<Placed, "shown">) {
  const letters = [...shown.title];
  const part = letters.slice(0, LABEL).join("");
  // At the end of a word.
  const words = part.replace(/[\s,;:–—-]+\S*$/, "") || part;
  const text = letters.length > LABEL ? `${words}…` : part;
  return "reason" in shown ? `× ${text}` : text;
}
