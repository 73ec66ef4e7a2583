import type { ShownProblem as Problem } from "../dead-values.ts";
import type { FieldView, ValueView } from "../field-views.ts";

/** A text with more characters than this is read as a text of its own. */
const LONG = 160;
/** One with no more than this is a fact, beside others. */
const FACT = 40;

/** All values of a field, those of its locales too. */
function valuesIn({ values, locales = [] }: FieldView) {
  return [...values, ...locales.flatMap((one) => one.values)];
}

export function isEmpty(field: FieldView): boolean {
  return valuesIn(field).every(({ value, block, html }) => !block && !html && value === "");
}

/** Whether the heading of the record says it already. */
export function isTitle(field: FieldView, title: string): boolean {
  const [first, ...others] = valuesIn(field);
  return (
    field.type === "text" && !field.isMarkdown && others.length === 0 && first?.value === title
  );
}

/** The problems of a field, in the locales that are shown. */
export function notesOf(
  { path, locales }: FieldView,
  problems: readonly Problem[],
): readonly Problem[] {
  const places = locales?.map((one) => one.path) ?? [path];
  return problems.filter(
    ({ at }) =>
      at.path === path || places.some((one) => at.path === one || at.path.startsWith(`${one}/`)),
  );
}

/** The problems at a field itself, and below it where no value is shown that has them. */
export function ownNotes(field: FieldView, problems: readonly Problem[]) {
  const { path, values, locales } = field;
  if (locales !== undefined) return problems.filter(({ at }) => at.path === path);
  return problems.filter(({ at }) => {
    if (at.path === path) return true;
    return (
      at.path.startsWith(`${path}/`) && !values.some((value) => isBeside(at.path, value, path))
    );
  });
}

/** Whether a problem is shown with a value. */
function isBeside(at: string, { path, block, inside }: ValueView, field: string): boolean {
  if (at === path) return path !== field;
  return at.startsWith(`${path}/`) && (block !== undefined || inside !== undefined);
}

const HEADING = /^(?:title|headline|heading)$/i;

/** How a field is read: as one fact beside others, with its name above it, or without one. */
export function kindOf(field: FieldView): string {
  const { key, type, isMarkdown, isRepeatable } = field;
  const isOwn = ["rich-text", "asset", "html-asset", "content-block"].includes(type);
  const lengths = valuesIn(field).map(({ value }) =>
    typeof value === "string" ? value.length : 0,
  );
  const longest = Math.max(0, ...lengths);
  if (isMarkdown || isOwn) return "is-prose";
  if (type === "text" && !isRepeatable && HEADING.test(key)) return "is-prose is-heading";
  const isLine = isRepeatable || type === "reference" || type === "json" || longest > FACT;
  if (longest > LONG) return "is-named is-long";
  return isLine ? "is-named" : "is-fact";
}

/** The same of values in a list. */
export function listKind({ type }: FieldView, values: readonly ValueView[]): string {
  if (["content-block", "asset", "html-asset", "rich-text"].includes(type)) return "is-blocks";
  const isFact = ({ value, target }: ValueView) =>
    !target && typeof value !== "object" && String(value).length <= FACT;
  return values.every(isFact) ? "is-facts" : "";
}

/** H25b: whether no other field is of its kind, so that what it is needs no name where it has a value. */
export function isOnly(field: FieldView, all: readonly FieldView[]): boolean {
  const kind = ({ type, isMarkdown }: FieldView) => (isMarkdown ? "rich-text" : type);
  return all.every((one) => one === field || kind(one) !== kind(field));
}

const SETTINGS = ["number", "integer", "boolean", "select", "json"];
/** Keys of what is read, however short it is. */
const SAID = /(?:text|title|name|label|head(?:ing|line)?|caption)$/i;
/** A word of a program: a class, an id, a colour, a length, an address. */
const CODE = /^[#./]?[a-z\d](?:[\w%#&+=?.:/-]*[\w%/])?$/;
/** Several of these, by a key that says so. */
const STYLE = /(?:class(?:es|names?)?|colou?rs?|css|styles?|icon(?:name)?)$/i;

/** H25d: whether the field only sets how a block looks or behaves. */
export function isSetting(field: FieldView): boolean {
  const { key, type, isMarkdown } = field;
  if (SETTINGS.includes(type)) return true;
  const values = valuesIn(field);
  if (type === "content-block") return values.every(({ block }) => block?.fields.every(isQuiet));
  if (type !== "text" || isMarkdown) return false;
  if (STYLE.test(key)) return values.every(({ value }) => String(value).length <= LONG);
  return !SAID.test(key) && values.every(({ value }) => CODE.test(String(value ?? "")));
}

const isQuiet = (field: FieldView) => isEmpty(field) || isSetting(field);

/** H25d: whether a block has more than others in it, by which it is told. */
export function hasContent(fields: readonly FieldView[]): boolean {
  return fields.some((field) => field.type !== "content-block" && !isQuiet(field));
}
