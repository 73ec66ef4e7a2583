const NUMBER = new Intl.NumberFormat("en");
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function number(count: number) {
  return NUMBER.format(count);
}

/** "1 entry", "2 entries". */
export function counted(count: number, one: string, many: string = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function size(bytes: number | null) {
  if (bytes === null) return "size unknown";
  if (bytes < 1000) return counted(bytes, "byte");
  const [unit, of] = bytes < 1e6 ? ["kB", 1e3] : ["MB", 1e6];
  return `${NUMBER.format(Number((bytes / Number(of)).toPrecision(3)))} ${unit}`;
}

/** A text that is no date as it is, others by their date. */
const dated = (text: string, said: (date: Date) => string, date = new Date(text)) =>
  Number.isNaN(date.getTime()) ? text : said(date);

/** "22 Nov 2026, 09:30". @param text RFC 3339 */
export const moment = (text: string) => dated(text, (date) => MOMENT.format(date));

/** The time in the zone of the browser, as its inputs write it; empty of what is none. @param text RFC 3339 */
export function localTime(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return "";
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The same back, RFC 3339 in UTC. */
export function fromLocal(value: string): string {
  return new Date(value).toISOString().replace(".000Z", "Z");
}

const IN_UTC = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});
const ZONE = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" });

/** The offset from UTC with which a time is written; undefined: it is in UTC. */
export const offsetOf = (text: string) => /[+-]\d\d:\d\d$/.exec(text)?.[0];

/** The zone in which a time is shown: as it is written, "UTC+02:00"; one in UTC in the reader's, "CEST". */
export function zoneName(text: string) {
  const offset = offsetOf(text);
  if (offset !== undefined) return `UTC${offset}`;
  return ZONE.formatToParts(new Date(text)).find(({ type }) => type === "timeZoneName")?.value;
}

/** H42d: "23 Aug 2025, 19:40 UTC+01:00". @param text RFC 3339 */
export function zoned(text: string) {
  const isOwn = offsetOf(text) !== undefined;
  const date = isOwn ? new Date(`${text.slice(0, -6)}Z`) : undefined;
  return dated(text, (one) => `${(isOwn ? IN_UTC : MOMENT).format(one)} ${zoneName(text)}`, date);
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** "22 November 2026". @param text a date without time */
export const day = (text: string) => dated(text, (date) => DAY.format(date));

/** "22 November", with the year unless it is this one; "09:30 today". @param text RFC 3339 */
export const since = (text: string) =>
  dated(text, (date) => {
    const today = new Date();
    const isToday = date.toDateString() === today.toDateString();
    if (isToday) return `${date.toLocaleTimeString("en-GB", { timeStyle: "short" })} today`;
    const said = date.toLocaleDateString("en-GB", { dateStyle: "long" });
    return said.replace(` ${today.getFullYear()}`, "");
  });

/** Why a pointer does not resolve. */
export const UNRESOLVED_REASONS = {
  deleted: "deleted",
  "other-workspace": "in another workspace",
  "too-deep": "more than 5 references away",
} as const;
