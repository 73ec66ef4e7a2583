import { el } from "./element.js";
import { jsonTree } from "./json-tree.js";
import { lazyFold } from "./lazy-fold.js";
import { localeList } from "./locales.js";
import { code, problemNotes, targetLink } from "./parts.js";
import { plainItem } from "./plain-value.js";
import { number, size } from "./words.js";

/** @typedef {import("../field-views.ts").FieldView} FieldView */
/** @typedef {import("../field-views.ts").ValueView} ValueView */
/** @typedef {import("./locales.js").Beside} Beside */
/** @typedef {import("../../../workspace/problem-messages.ts").DescribedProblem} Problem */

/** How many values of a field are shown before a "more" fold. */
const SHOWN = 50;

/**
 * Fields with their names, values and problems.
 *
 * @param {string} workspace
 * @param {readonly FieldView[]} fields
 * @param {Beside} beside
 * @returns {HTMLElement}
 */
export function fieldList(workspace, fields, beside) {
  return el(
    "dl",
    { class: "fields" },
    fields.map((field) => fieldItem(workspace, field, beside)),
  );
}

/**
 * @param {string} workspace
 * @param {FieldView} field
 * @param {Beside} beside
 */
function fieldItem(workspace, field, beside) {
  const { key, name, type, path, isRepeatable, isRequired, locales } = field;
  const isShown = (/** @type {string} */ place) =>
    !locales || locales.some((one) => place === one.path || place.startsWith(`${one.path}/`));
  const here = beside.problems.filter(
    ({ at }) => at.path === path || (at.path.startsWith(`${path}/`) && !isShown(at.path)),
  );
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
        locales && ", localized",
      ),
    ),
    el(
      "dd",
      { "data-flash": "" },
      locales
        ? localeList(locales, beside, (values) => valuesOf(workspace, { ...field, values }, beside))
        : valuesOf(workspace, field, beside),
      problemNotes(here),
    ),
  );
}

/**
 * @param {string} workspace
 * @param {FieldView} field
 * @param {Beside} beside
 */
function valuesOf(workspace, field, beside) {
  const { values, isRepeatable } = field;
  const [first] = values;
  if (first === undefined) {
    return el("span", { class: "soft" }, isRepeatable ? "Empty list" : "No value");
  }
  const isSingle = values.length === 1 && !isRepeatable;
  return isSingle
    ? valueItem(workspace, field, first, beside)
    : valueList(workspace, field, beside);
}

/**
 * @param {string} workspace
 * @param {FieldView} field
 * @param {Beside} beside
 */
function valueList(workspace, field, beside) {
  const { path, values } = field;
  const list = (/** @type {readonly ValueView[]} */ some) =>
    el(
      "ol",
      { class: isBlocks(field) ? "values is-blocks" : "values" },
      some.map((value) => {
        const isHere = (/** @type {Problem} */ { at }) =>
          at.path === value.path && value.path !== path;
        const place = { "data-key": value.path, "data-path": value.path, tabindex: -1 };
        return el(
          "li",
          place,
          valueItem(workspace, field, value, beside),
          problemNotes(beside.problems.filter(isHere)),
        );
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
 * @param {Beside} beside
 * @returns {import("./element.js").Child}
 */
function valueItem(workspace, field, value, beside) {
  const { block, target, asset, html, inside } = value;
  if (block) {
    return el(
      "section",
      { class: "block", "aria-label": `Block ${block.name}` },
      el("p", { class: "block-name" }, block.name, " ", code(block.key)),
      fieldList(workspace, block.fields, beside),
    );
  }
  if (value.value === undefined) return el("span", { class: "not-served" }, "Not served");
  if (target) return targetLink(workspace, target);
  if (asset) return assetItem(/** @type {AssetValue} */ (value.value), asset.src);
  if (html)
    return htmlItem(/** @type {{ id: string, fileName: string | null }} */ (value.value), html.src);
  if (inside) return treeItem(workspace, field, value, inside, beside);
  return plainItem(field, value.value);
}

/**
 * Rich text: its JSON, the pointers in it, and the problems of what is between them.
 *
 * @param {string} workspace
 * @param {FieldView} field
 * @param {ValueView} value
 * @param {readonly ValueView[]} inside
 * @param {Beside} beside
 * @returns {import("./element.js").Child}
 */
function treeItem(workspace, field, { path, value = null }, inside, beside) {
  const below = (/** @type {Problem} */ { at }, /** @type {string} */ place) =>
    at.path === place || at.path.startsWith(`${place}/`);
  const own = beside.problems.filter(
    (one) =>
      one.at.path.startsWith(`${path}/`) && !inside.some((pointer) => below(one, pointer.path)),
  );
  return [
    jsonTree(value, field.name),
    inside.length > 0 && valueList(workspace, { ...field, path, values: inside }, beside),
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
