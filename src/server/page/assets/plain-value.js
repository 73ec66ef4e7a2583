import { el } from "./element.js";
import { jsonTree } from "./json-tree.js";
import { number } from "./words.js";

/** A text with more characters than this is folded. */
const LONG = 1200;

/**
 * @param {import("../field-views.ts").FieldView} field
 * @param {import("../../../workspace/json.ts").JsonValue} value
 */
export function plainItem({ type, name }, value) {
  if (type === "json") return jsonTree(value, name);
  if (typeof value === "boolean") return el("span", { class: "value" }, value ? "Yes" : "No");
  if (typeof value === "number") return el("span", { class: "value is-number" }, String(value));
  const text = String(value);
  if (text === "") return el("span", { class: "soft" }, "Empty text");
  if (type === "url" && isSafeUrl(text)) {
    return el(
      "a",
      { class: "value", href: text, target: "_blank", rel: "noopener noreferrer" },
      text,
    );
  }
  if (type === "select") return el("span", { class: "tag" }, text);
  if (text.length <= LONG) return el("p", { class: "value text", dir: "auto" }, text);
  return el(
    "details",
    { class: "long" },
    el(
      "summary",
      {},
      el("span", { class: "text", dir: "auto" }, `${text.slice(0, LONG / 2)}…`),
      el("span", { class: "soft" }, ` ${number(text.length)} characters in total`),
    ),
    el("p", { class: "value text", dir: "auto" }, text),
  );
}

/** Whether a link to it is safe: `javascript:` URLs are valid stored values. */
function isSafeUrl(/** @type {string} */ text) {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:", "mailto:", "tel:"].includes(url.protocol);
}
