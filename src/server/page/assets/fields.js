import { el } from "./element.js";
import { jsonTree } from "./json-tree.js";
import { lazyFold } from "./lazy-fold.js";
import { code, problemNotes, targetLink } from "./parts.js";
import { number, size } from "./words.js";

/** @typedef {import("../field-views.ts").FieldView} FieldView */
/** @typedef {import("../field-views.ts").ValueView} ValueView */
/** @typedef {import("../../../workspace/problem-messages.ts").DescribedProblem} Problem */

/** A text with more characters than this is folded. */
const LONG = 1200;
/** How many values of a field are shown before a "more" fold. */
const SHOWN = 50;

/**
 * Fields with their names, values and problems.
 *
 * @param {string} workspace
 * @param {readonly FieldView[]} fields
 * @param {readonly Problem[]} problems of the same record
 * @returns {HTMLElement}
 */
export function fieldList(workspace, fields, problems) {
  return el(
    "dl",
    { class: "fields" },
    fields.map((field) => fieldItem(workspace, field, problems)),
  );
}

/**
 * @param {string} workspace
 * @param {FieldView} field
 * @param {readonly Problem[]} problems
 */
function fieldItem(workspace, field, problems) {
  const { key, name, type, path, values, isRepeatable, isRequired } = field;
  const single = values.length === 1 && !isRepeatable ? values[0] : undefined;
  const here = problems.filter(({ at }) => at.path === path);
  return el(
    "div",
    { class: "field", "data-key": path, "data-path": path, tabindex: -1 },
    el(
      "dt",
      {},
      el("span", { class: "field-name" }, name),
      el(
        "span",
        { class: "field-kind" },
        name !== key && [code(key), " "],
        type,
        isRepeatable && " list",
        isRequired && ", required",
      ),
    ),
    el(
      "dd",
      { "data-flash": "" },
      values.length === 0 &&
        el("span", { class: "soft" }, isRepeatable ? "Empty list" : "No value"),
      single && valueItem(workspace, field, single, problems),
      values.length > 0 && single === undefined && valueList(workspace, field, problems),
      problemNotes(here),
    ),
  );
}

/**
 * @param {string} workspace
 * @param {FieldView} field
 * @param {readonly Problem[]} problems
 */
function valueList(workspace, field, problems) {
  const { path, values } = field;
  const list = (/** @type {readonly ValueView[]} */ some) =>
    el(
      "ol",
      { class: isBlocks(field) ? "values is-blocks" : "values" },
      some.map((value) => {
        const here = problems.filter(({ at }) => at.path === value.path && value.path !== path);
        const place = { "data-key": value.path, "data-path": value.path, tabindex: -1 };
        return el("li", place, valueItem(workspace, field, value, problems), problemNotes(here));
      }),
    );
  const left = values.slice(SHOWN);
  return [
    list(values.slice(0, SHOWN)),
    left.length > 0 && lazyFold(`${number(left.length)} more`, () => list(left)),
  ];
}

/** @param {FieldView} field */
function isBlocks({ type }) {
  return ["content-block", "asset", "html-asset", "rich-text"].includes(type);
}

/**
 * @param {string} workspace
 * @param {FieldView} field
 * @param {ValueView} value
 * @param {readonly Problem[]} problems
 */
function valueItem(workspace, field, value, problems) {
  const { block, target, asset, html, inside } = value;
  if (block) {
    return el(
      "section",
      { class: "block", "aria-label": `Block ${block.name}` },
      el("p", { class: "block-name" }, block.name, " ", code(block.key)),
      fieldList(workspace, block.fields, problems),
    );
  }
  if (value.value === undefined) return el("span", { class: "not-served" }, "Not served");
  if (target) return targetLink(workspace, target);
  if (asset) return assetItem(/** @type {AssetValue} */ (value.value), asset.src);
  if (html)
    return htmlItem(/** @type {{ id: string, fileName: string | null }} */ (value.value), html.src);
  if (inside) return treeItem(workspace, field, value, inside, problems);
  return plainItem(field, value.value);
}

/**
 * Rich text: its JSON, the pointers in it, and the problems of what is between them.
 *
 * @param {string} workspace
 * @param {FieldView} field
 * @param {ValueView} value
 * @param {readonly ValueView[]} inside
 * @param {readonly Problem[]} problems
 * @returns {import("./element.js").Child}
 */
function treeItem(workspace, field, { path, value = null }, inside, problems) {
  const below = (/** @type {Problem} */ { at }, /** @type {string} */ place) =>
    at.path === place || at.path.startsWith(`${place}/`);
  const own = problems.filter(
    (one) =>
      one.at.path.startsWith(`${path}/`) && !inside.some((pointer) => below(one, pointer.path)),
  );
  return [
    jsonTree(value, field.name),
    inside.length > 0 && valueList(workspace, { ...field, path, values: inside }, problems),
    problemNotes(own),
  ];
}

/** @typedef {{ id: string, versionId?: string, url?: string, mimeType?: string, sizeBytes?: number | null, fileName?: string, width?: number | null, height?: number | null }} AssetValue */

/**
 * @param {AssetValue} value
 * @param {string | undefined} src
 */
function assetItem(value, src) {
  const { id, url, mimeType = "", sizeBytes = null, fileName, width, height } = value;
  if (url === undefined) {
    return el(
      "span",
      { class: "target is-bad" },
      el("span", {}, code(id)),
      el("span", { class: "reason" }, "asset missing"),
    );
  }
  const isImage = mimeType.startsWith("image/");
  const measures = [
    mimeType,
    width && height && `${number(width)} × ${number(height)}`,
    size(sizeBytes),
  ];
  const name = fileName ?? id;
  return el(
    "figure",
    { class: "asset" },
    isImage && src !== undefined && el("img", { src, alt: `Image ${name}`, loading: "lazy" }),
    // Assets of other hosts are not loaded: no request leaves this machine.
    src === undefined &&
      el("p", { class: "elsewhere" }, "Hosted elsewhere, so not shown here: ", code(url)),
    el("figcaption", {}, el("strong", {}, name), " ", measures.filter(Boolean).join(", ")),
  );
}

/**
 * @param {{ id: string, fileName: string | null }} value
 * @param {string | undefined} src
 */
function htmlItem({ id, fileName }, src) {
  if (src === undefined) {
    return el(
      "span",
      { class: "target is-bad" },
      el("span", {}, code(id)),
      el("span", { class: "reason" }, "cannot be read"),
    );
  }
  const name = fileName ?? id;
  return el(
    "figure",
    { class: "html" },
    // The empty sandbox: no scripts, origin, forms or windows.
    el("iframe", {
      sandbox: "",
      src,
      title: `HTML page ${name}`,
      loading: "lazy",
      referrerpolicy: "no-referrer",
    }),
    el("figcaption", {}, el("strong", {}, name), " shown in a sandbox, without scripts"),
  );
}

/**
 * @param {FieldView} field
 * @param {import("../../../workspace/json.ts").JsonValue} value
 */
function plainItem({ type, name }, value) {
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
