/** The length of the shortest way between any two nodes (Floyd and Warshall). */
export function distances(
  pointers: Readonly<Record<string, readonly string[]>>,
): (from: string, to: string) => number {
  const nodes = Object.keys(pointers);
  const length = new Map<string, number>();
  const between = (from: string, to: string) =>
    from === to ? 0 : (length.get(`${from} ${to}`) ?? Number.POSITIVE_INFINITY);
  for (const [from, targets] of Object.entries(pointers)) {
    for (const to of targets) length.set(`${from} ${to}`, 1);
  }
  for (const over of nodes) {
    for (const from of nodes) {
      for (const to of nodes) {
        const detour = between(from, over) + between(over, to);
        if (detour < between(from, to)) length.set(`${from} ${to}`, detour);
      }
    }
  }
  return between;
}

/** E2: what stands in `references[]`, sorted by code unit, when `content` stands in `content[]`. */
export function reachedFrom(
  content: readonly string[],
  pointers: Readonly<Record<string, readonly string[]>>,
): string[] {
  const between = distances(pointers);
  return Object.keys(pointers)
    .filter((id) => {
      const depth = Math.min(...content.map((from) => between(from, id)));
      return depth >= 1 && depth <= 5;
    })
    .sort();
}
