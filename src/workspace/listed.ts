/**
 * A whole number with its digits in groups of three: "1,000". (The first call of `toLocaleString`
 * loads locale data: 15 ms, half of Node's own start.)
 */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** "2.5 MB" */
export function sizeText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  const [unit, size] = bytes < 1e6 ? ["kB", 1e3] : bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}

/** " and 2 more (…)"; nothing where there are none. @param where they are listed */
export function andMore(count: number, where?: string): string {
  if (count <= 0) return "";
  return ` and ${grouped(count)} more${where === undefined ? "" : ` (${where})`}`;
}

/** "a, b, c and 2 more" */
export function listed(names: readonly string[], most = 3, where?: string): string {
  return names.slice(0, most).join(", ") + andMore(names.length - most, where);
}

/** `"a", "b"` */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
