import type { ValueChange } from "../../../diff/compare-values.ts";
import type { JsonValue } from "../../../workspace/json.ts";
import { type Child, el } from "./element.ts";
import { code } from "./parts.ts";
import { number } from "./words.ts";

/** How many changes of a record are shown, and how many characters of a value. */
const [SHOWN, LONGEST] = [100, 600];
/** How many unchanged characters are shown before and after a change in a text. */
const CONTEXT = 60;

export function valueChanges(changes: readonly ValueChange[]) {
  if (changes.length === 0) return null;
  const left = changes.length - SHOWN;
  return [
    el("dl.value-changes", changes.slice(0, SHOWN).map(changeItem)),
    left > 0 && el("p.soft", `and ${number(left)} more`),
  ];
}

function changeItem({ path, change, before, after }: ValueChange) {
  const isText = typeof before === "string" && typeof after === "string";
  return el(
    "div.value-change",
    { "data-key": path },
    el("dt", path === "" ? change : placeName(path)),
    el(
      "dd",
      isText
        ? textChange(before, after)
        : [
            before === undefined ? nothing() : el("del", unseen("was "), shown(before)),
            after === undefined ? nothing() : el("ins", unseen("is now "), shown(after)),
          ],
    ),
  );
}

/** Two texts, marked where they differ between their common prefix and suffix. */
function textChange(before: string, after: string) {
  const [olds, news] = [[...before], [...after]];
  const most = Math.min(olds.length, news.length);
  let start = 0;
  while (start < most && olds[start] === news[start]) start += 1;
  let end = 0;
  while (end < most - start && olds.at(-1 - end) === news.at(-1 - end)) end += 1;
  const head = olds.slice(Math.max(0, start - CONTEXT), start).join("");
  const tail = olds.slice(olds.length - end, olds.length - end + CONTEXT).join("");
  const side = (all: string[]) => [
    start > CONTEXT && "…",
    head,
    el(
      "mark",
      all
        .slice(start, all.length - end)
        .join("")
        .slice(0, LONGEST),
    ),
    tail,
    end > CONTEXT && "…",
  ];
  const empty = el("span.soft", "empty text");
  return [
    el("del", unseen("was "), before === "" ? empty : written(side(olds))),
    el("ins", unseen("is now "), after === "" ? empty : written(side(news))),
  ];
}

function written(parts: readonly Child[]) {
  return el("span", { dir: "auto" }, parts);
}

function nothing() {
  return el("span.nothing", "no value");
}

function shown(value: JsonValue) {
  if (typeof value === "string") return written([value.slice(0, LONGEST)]);
  const text = JSON.stringify(value, null, 1).replace(/\s+/g, " ");
  return code(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/** "/sections/2/data/text" as "sections › 3 › text". */
function placeName(path: string) {
  const segments = path
    .slice(1)
    .split("/")
    .map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
  return segments
    .filter((segment, at) => segment !== "data" || at === 0)
    .flatMap((segment, at) => [
      at > 0 && el("span.soft", " › "),
      /^\d+$/.test(segment) ? String(Number(segment) + 1) : segment,
    ]);
}

function unseen(text: string) {
  return el("span.unseen", text);
}
