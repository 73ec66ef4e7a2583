import { el } from "./element.js";
import { code } from "./parts.js";
import { number } from "./words.js";

/** @typedef {import("../../../diff/compare-values.ts").ValueChange} ValueChange */
/** @typedef {import("../../../workspace/json.ts").JsonValue} JsonValue */

/** How many changes of a record are shown, and how many characters of a value. */
const [SHOWN, LONGEST] = [100, 600];
/** How many unchanged characters are shown before and after a change in a text. */
const CONTEXT = 60;

/**
 * Changed values with their paths, before and after.
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
 * Two texts, marked where they differ between their common prefix and suffix.
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
  const head = olds.slice(Math.max(0, start - CONTEXT), start).join("");
  const tail = olds.slice(olds.length - end, olds.length - end + CONTEXT).join("");
  const side = (/** @type {string[]} */ all) => [
    start > CONTEXT && "…",
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
    end > CONTEXT && "…",
  ];
  const empty = el("span", { class: "soft" }, "empty text");
  return [
    el("del", {}, unseen("was "), before === "" ? empty : written(side(olds))),
    el("ins", {}, unseen("is now "), after === "" ? empty : written(side(news))),
  ];
}

/**
 * Authored text, in its own text direction.
 *
 * @param {readonly import("./element.js").Child[]} parts
 */
function written(parts) {
  return el("span", { dir: "auto" }, parts);
}

/** Shown for a missing value. */
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
 * "/sections/2/data/text" as "sections › 3 › text".
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
