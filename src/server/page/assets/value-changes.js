import { el } from "./element.js";
import { code } from "./parts.js";
import { number } from "./words.js";

/** @typedef {import("../../../diff/compare-values.ts").ValueChange} ValueChange */
/** @typedef {import("../../../workspace/json.ts").JsonValue} JsonValue */

/** How many changes of one thing are shown, and how many characters of a value. */
const [SHOWN, LONGEST] = [100, 600];
/** What stays the same at both ends of a text is cut to this many characters. */
const AROUND = 60;

/**
 * Changes by place: what was there and what is there now.
 *
 * @param {readonly ValueChange[]} changes
 */
export function valueChanges(changes) {
  if (changes.length === 0) return null;
  const left = changes.length - SHOWN;
  return [
    el("dl", { class: "value-changes" }, changes.slice(0, SHOWN).map(changeItem)),
    left > 0 && el("p", { class: "soft" }, `and ${number(left)} more`),
  ];
}

/** @param {ValueChange} change */
function changeItem({ path, change, before, after }) {
  const isText = typeof before === "string" && typeof after === "string";
  return el(
    "div",
    { class: "value-change", "data-key": path },
    el("dt", {}, path === "" ? change : placeName(path)),
    el(
      "dd",
      {},
      isText
        ? textChange(before, after)
        : [
            before === undefined ? nothing() : el("del", {}, unseen("was "), shown(before)),
            after === undefined ? nothing() : el("ins", {}, unseen("is now "), shown(after)),
          ],
    ),
  );
}

/**
 * Two texts, with what differs between their common beginning and their common end marked.
 *
 * @param {string} before
 * @param {string} after
 */
function textChange(before, after) {
  const [olds, news] = [[...before], [...after]];
  const most = Math.min(olds.length, news.length);
  let start = 0;
  while (start < most && olds[start] === news[start]) start += 1;
  let end = 0;
  while (end < most - start && olds.at(-1 - end) === news.at(-1 - end)) end += 1;
  const head = olds.slice(Math.max(0, start - AROUND), start).join("");
  const tail = olds.slice(olds.length - end, olds.length - end + AROUND).join("");
  const side = (/** @type {string[]} */ all) => [
    start > AROUND && "…",
    head,
    el(
      "mark",
      {},
      all
        .slice(start, all.length - end)
        .join("")
        .slice(0, LONGEST),
    ),
    tail,
    end > AROUND && "…",
  ];
  const empty = el("span", { class: "soft" }, "empty text");
  return [
    el("del", {}, unseen("was "), before === "" ? empty : written(side(olds))),
    el("ins", {}, unseen("is now "), after === "" ? empty : written(side(news))),
  ];
}

/**
 * What an author wrote, in its own direction.
 *
 * @param {readonly import("./element.js").Child[]} parts
 */
function written(parts) {
  return el("span", { dir: "auto" }, parts);
}

/** On the side that has no value. */
function nothing() {
  return el("span", { class: "nothing" }, "no value");
}

/** @param {JsonValue} value */
function shown(value) {
  if (typeof value === "string") return written([value.slice(0, LONGEST)]);
  const text = JSON.stringify(value, null, 1).replace(/\s+/g, " ");
  return code(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/**
 * "/sections/2/data/text" as "sections, 3, text".
 *
 * @param {string} path
 */
function placeName(path) {
  const segments = path
    .slice(1)
    .split("/")
    .map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
  return segments
    .filter((segment, at) => segment !== "data" || at === 0)
    .flatMap((segment, at) => [
      at > 0 && el("span", { class: "soft" }, " › "),
      /^\d+$/.test(segment) ? String(Number(segment) + 1) : segment,
    ]);
}

/** @param {string} text */
function unseen(text) {
  return el("span", { class: "unseen" }, text);
}
