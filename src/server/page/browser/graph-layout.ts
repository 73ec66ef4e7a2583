import type { ExperienceView, GraphNode, UnresolvedPointer } from "../experience-view.ts";

export interface Placed {
  key: string;
  node?: GraphNode;
  /** A target that is not in the graph, instead of a node */
  unresolved?: UnresolvedPointer;
  depth: number;
  /** In radians, 0 at the top, clockwise */
  angle: number;
  radius: number;
  x: number;
  y: number;
  parent: Placed | undefined;
}

/** The minimum distance between rings, and between labels on a ring. */
const [RING, ARC] = [104, 19];
/** The radius of the innermost ring; a single content entry is placed at the centre. */
const INNERMOST = 44;
/** The distance of the first ring, which leaves room for the labels inside of it. */
const FIRST_RING = 150;
/** The rotation of each ring against the previous one, in radians, to keep labels off their children. */
const TWIST = 0.17;

/**
 * Places entries on concentric rings by distance. Each is in the sector of the entry that first
 * references it; unresolved targets are placed like entries.
 *
 * @param most how many entries are placed, the nearest first
 */
export function placeOnRings(
  { nodes, edges, unresolved }: Pick<ExperienceView, "nodes" | "edges" | "unresolved">,
  most: number,
) {
  const placed = nodes.slice(0, most).map((node) => ({ ...start(node.id, node.depth), node }));
  const byId: Map<string, Placed> = new Map(placed.map((one) => [one.key, one]));
  const children = new Map<Placed | undefined, Placed[]>();
  const attach = (parent: Placed | undefined, child: Placed) => {
    child.parent = parent;
    children.set(parent, [...(children.get(parent) ?? []), child]);
  };
  for (const one of placed) if (one.depth === 0) attach(undefined, one);
  for (const [from, to] of edges) {
    const [parent, child] = [placed[from], placed[to]];
    if (parent && child && child.depth === parent.depth + 1 && !child.parent) attach(parent, child);
  }
  const missing = new Map<string, Placed>();
  for (const pointer of unresolved) {
    const parent = byId.get(pointer.from);
    const key = missingKey(pointer);
    if (parent === undefined || missing.has(key)) continue;
    const one = { ...start(key, parent.depth + 1), unresolved: pointer };
    missing.set(key, one);
    attach(parent, one);
  }
  const all = [...placed, ...missing.values()];
  const radii = ringRadii(all);
  spread(children, undefined, 0, 2 * Math.PI);
  for (const one of all) {
    one.radius = radii[one.depth] ?? 0;
    one.angle = (one.angle + one.depth * TWIST) % (2 * Math.PI);
    one.x = one.radius * Math.sin(one.angle);
    one.y = -one.radius * Math.cos(one.angle);
  }
  return { placed, missing, radii };
}

export function missingKey({ target }: UnresolvedPointer) {
  return `missing ${target}`;
}

function start(key: string, depth: number): Placed {
  return { key, depth, angle: 0, radius: 0, x: 0, y: 0, parent: undefined };
}

function ringRadii(all: readonly Placed[]) {
  const counts = [0];
  for (const { depth } of all) counts[depth] = (counts[depth] ?? 0) + 1;
  const radii: number[] = [];
  for (const [depth, count = 0] of counts.entries()) {
    const gap = depth === 0 ? INNERMOST : depth === 1 ? FIRST_RING : RING;
    const least = (radii[depth - 1] ?? 0) + gap;
    const needed = (count * ARC) / (2 * Math.PI);
    radii.push(depth === 0 && count === 1 ? 0 : Math.max(least, needed));
  }
  return radii;
}

/** Divides a sector among children in proportion to their leaves. */
function spread(
  children: ReadonlyMap<Placed | undefined, Placed[]>,
  parent: Placed | undefined,
  from: number,
  until: number,
) {
  const some = children.get(parent) ?? [];
  const weights = some.map((one) => leafCount(children, one));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let at = from;
  for (const [index, one] of some.entries()) {
    const width = ((until - from) * (weights[index] ?? 1)) / total;
    one.angle = at + width / 2;
    spread(children, one, at, at + width);
    at += width;
  }
}

function leafCount(children: ReadonlyMap<Placed | undefined, Placed[]>, one: Placed): number {
  const some = children.get(one) ?? [];
  return Math.max(
    1,
    some.reduce((sum, child) => sum + leafCount(children, child), 0),
  );
}
