import type { JsonValue } from "../../../workspace/json.ts";
import type { DescribedProblem as Problem } from "../../../workspace/problem-messages.ts";
import type { FieldView, ValueView } from "../field-views.ts";
import { type Child, el } from "./element.ts";
import { jsonTree } from "./json-tree.ts";
import { type Beside, localeList } from "./locales.ts";
import { brokenTarget, code, lazyFold, problemNotes, targetLink } from "./parts.ts";
import { number, size } from "./words.ts";

/** How many values of a field are shown before a "more" fold. */
const SHOWN = 50;
/** A text with more characters than this is folded. */
const LONG = 1200;

export function fieldList(
  workspace: string,
  fields: readonly FieldView[],
  beside: Beside,
): HTMLElement {
  return el(
    "dl.fields",
    fields.map((field) => fieldItem(workspace, field, beside)),
  );
}

function fieldItem(workspace: string, field: FieldView, beside: Beside) {
  const { key, name, type, path, isRepeatable, isRequired, locales } = field;
  const isShown = (place: string) =>
    !locales || locales.some((one) => place === one.path || place.startsWith(`${one.path}/`));
  const here = beside.problems.filter(
    ({ at }) => at.path === path || (at.path.startsWith(`${path}/`) && !isShown(at.path)),
  );
  return el(
    "div.field",
    { "data-key": path, "data-path": path, tabindex: -1 },
    el(
      "dt",
      el("span.field-name", name),
      el(
        "span.field-kind",
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

function valuesOf(workspace: string, field: FieldView, beside: Beside) {
  const { values, isRepeatable } = field;
  const [first] = values;
  if (first === undefined) {
    return el("span.soft", isRepeatable ? "Empty list" : "No value");
  }
  const isSingle = values.length === 1 && !isRepeatable;
  return isSingle
    ? valueItem(workspace, field, first, beside)
    : valueList(workspace, field, beside);
}

function valueList(workspace: string, field: FieldView, beside: Beside) {
  const { path, values } = field;
  const list = (some: readonly ValueView[]) =>
    el(
      "ol",
      { class: isBlocks(field) ? "values is-blocks" : "values" },
      some.map((value) => {
        const isHere = ({ at }: Problem) => at.path === value.path && value.path !== path;
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

function isBlocks({ type }: FieldView) {
  return ["content-block", "asset", "html-asset", "rich-text"].includes(type);
}

function valueItem(workspace: string, field: FieldView, value: ValueView, beside: Beside): Child {
  const { block, target, asset, html, inside } = value;
  if (block) {
    return el(
      "section.block",
      { "aria-label": `Block ${block.name}` },
      el("p.block-name", block.name, " ", code(block.key)),
      fieldList(workspace, block.fields, beside),
    );
  }
  if (value.value === undefined) return el("span.not-served", "Not served");
  if (target) return targetLink(workspace, target);
  if (asset) return assetItem(value.value as AssetValue, asset.src);
  if (html) return htmlItem(value.value as { id: string; fileName: string | null }, html.src);
  if (inside) return treeItem(workspace, field, value, inside, beside);
  return plainItem(field, value.value);
}

/** Rich text: its JSON, the pointers in it, and the problems of what is between them. */
function treeItem(
  workspace: string,
  field: FieldView,
  { path, value = null }: ValueView,
  inside: readonly ValueView[],
  beside: Beside,
): Child {
  const below = ({ at }: Problem, place: string) =>
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

type AssetValue = {
  id: string;
  versionId?: string;
  url?: string;
  mimeType?: string;
  sizeBytes?: number | null;
  fileName?: string;
  width?: number | null;
  height?: number | null;
};

function assetItem(value: AssetValue, src: string | undefined) {
  const { id, url, mimeType = "", sizeBytes = null, fileName, width, height } = value;
  if (url === undefined) return brokenTarget(id, "asset missing");
  const isImage = mimeType.startsWith("image/");
  const measures = [
    mimeType,
    width && height && `${number(width)} × ${number(height)}`,
    size(sizeBytes),
  ];
  const name = fileName ?? id;
  return el(
    "figure.asset",
    isImage && src !== undefined && el("img", { src, alt: `Image ${name}`, loading: "lazy" }),
    // Assets of other hosts are not loaded: no request leaves this machine.
    src === undefined && el("p.elsewhere", "Hosted elsewhere, so not shown here: ", code(url)),
    el("figcaption", el("strong", name), " ", measures.filter(Boolean).join(", ")),
  );
}

function htmlItem(
  { id, fileName }: { id: string; fileName: string | null },
  src: string | undefined,
) {
  if (src === undefined) return brokenTarget(id, "cannot be read");
  const name = fileName ?? id;
  return el(
    "figure.html", // The empty sandbox: no scripts, origin, forms or windows.
    el("iframe", {
      sandbox: "",
      src,
      title: `HTML page ${name}`,
      loading: "lazy",
      referrerpolicy: "no-referrer",
    }),
    el("figcaption", el("strong", name), " shown in a sandbox, without scripts"),
  );
}

function plainItem({ type, name }: FieldView, value: JsonValue) {
  if (type === "json") return jsonTree(value, name);
  if (typeof value === "boolean") return el("span.value", value ? "Yes" : "No");
  if (typeof value === "number") return el("span.value.is-number", String(value));
  const text = String(value);
  if (text === "") return el("span.soft", "Empty text");
  if (type === "url" && isSafeUrl(text)) {
    return el("a.value", { href: text, target: "_blank", rel: "noopener noreferrer" }, text);
  }
  if (type === "select") return el("span.tag", text);
  if (text.length <= LONG) return el("p.value.text", { dir: "auto" }, text);
  return el(
    "details.long",
    el(
      "summary",
      el("span.text", { dir: "auto" }, `${text.slice(0, LONG / 2)}…`),
      el("span.soft", ` ${number(text.length)} characters in total`),
    ),
    el("p.value.text", { dir: "auto" }, text),
  );
}

/** Whether a link to it is safe: `javascript:` URLs are valid stored values. */
function isSafeUrl(text: string) {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:", "mailto:", "tel:"].includes(url.protocol);
}
