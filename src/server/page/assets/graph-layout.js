/** @typedef {import("../experience-view.ts").ExperienceView} ExperienceView */
/** @typedef {import("../experience-view.ts").GraphNode} GraphNode */
/** @typedef {import("../experience-view.ts").UnresolvedPointer} UnresolvedPointer */

/**
 * @typedef {object} Placed
 * @property {string} key
 * @property {GraphNode} [node]
 * @property {UnresolvedPointer} [unresolved] a target that is not in the graph, instead of a node
 * @property {number} depth
 * @property {number} angle in radians, 0 at the top, clockwise
 * @property {number} radius
 * @property {number} x
 * @property {number} y
 * @property {Placed | undefined} parent
 */

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
 * @param {Pick<ExperienceView, "nodes" | "edges" | "unresolved">} graph
 * @param {number} most how many entries are placed, the nearest first
 */
export function placeOnRings({ nodes, edges, unresolved }, most) {
  const placed = nodes.slice(0, most).map((node) => ({ ...start(node.id, node.depth), node }));
  /** @type {Map<string, Placed>} */
  const byId = new Map(placed.map((one) => [one.key, one]));
  /** @type {Map<Placed | undefined, Placed[]>} */
  const children = new Map();
  const attach = (/** @type {Placed | undefined} */ parent, /** @type {Placed} */ child) => {
    child.parent = parent;
    children.set(parent, [...(children.get(parent) ?? []), child]);
  };
  for (const one of placed) if (one.depth === 0) attach(undefined, one);
  for (const [from, to] of edges) {
    const [parent, child] = [placed[from], placed[to]];
    if (parent && child && child.depth === parent.depth + 1 && !child.parent) attach(parent, child);
  }
  /** @type {Map<string, Placed>} */
  const missing = new Map();
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

/**
 * The key under which an unresolved target is placed.
 *
 * @param {UnresolvedPointer} pointer
 */
export function missingKey({ target }) {
  return `missing ${target}`;
}

/**
 * @param {string} key
 * @param {number} depth
 * @returns {Placed}
 */
function start(key, depth) {
  return { key, depth, angle: 0, radius: 0, x: 0, y: 0, parent: undefined };
}

/** @param {readonly Placed[]} all */
function ringRadii(all) {
  const counts = [0];
  for (const { depth } of all) counts[depth] = (counts[depth] ?? 0) + 1;
  /** @type {number[]} */
  const radii = [];
  for (const [depth, count = 0] of counts.entries()) {
    const gap = depth === 0 ? INNERMOST : depth === 1 ? FIRST_RING : RING;
    const least = (radii[depth - 1] ?? 0) + gap;
    const needed = (count * ARC) / (2 * Math.PI);
    radii.push(depth === 0 && count === 1 ? 0 : Math.max(least, needed));
  }
  return radii;
}

/**
 * Divides a sector among children in proportion to their leaves.
 *
 * @param {ReadonlyMap<Placed | undefined, Placed[]>} children
 * @param {Placed | undefined} parent
 * @param {number} from
 * @param {number} until
 */
function spread(children, parent, from, until) {
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

/**
 * @param {ReadonlyMap<Placed | undefined, Placed[]>} children
 * @param {Placed} one
 * @returns {number}
 */
function leafCount(children, one) {
  const some = children.get(one) ?? [];
  return Math.max(
    1,
    some.reduce((sum, child) => sum + leafCount(children, child), 0),
  );
}
