/** "2.5 MB" */
export function sizeText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  const [unit, size] = bytes < 1e6 ? ["kB", 1e3] : bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
