const NUMBER = new Intl.NumberFormat("en");
const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export function number(count: number) {
  return NUMBER.format(count);
}

/** "1 entry", "2 entries". */
export function counted(count: number, one: string, many: string = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** The first three texts. */
export function listed(texts: readonly string[]) {
  const left = texts.length - 3;
  return texts.slice(0, 3).join(", ") + (left > 0 ? ` and ${number(left)} more` : "");
}

export function size(bytes: number | null) {
  if (bytes === null) return "size unknown";
  if (bytes < 1000) return counted(bytes, "byte");
  const [unit, of] = bytes < 1e6 ? ["kB", 1e3] : ["MB", 1e6];
  return `${NUMBER.format(Number((bytes / Number(of)).toPrecision(3)))} ${unit}`;
}

/** @param text RFC 3339 */
export function moment(text: string) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : MOMENT.format(date);
}

/** Why a pointer does not resolve. */
export const UNRESOLVED_REASONS = {
  deleted: "deleted",
  "other-workspace": "in another workspace",
  "too-deep": "more than 5 references away",
} as const;
