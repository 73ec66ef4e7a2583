import { didYouMean } from "../workspace/did-you-mean.ts";

/** What members are called elsewhere, in small letters; of several, the first that a record may have. */
const CALLED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  min: ["minimum", "minLength", "minItems"],
  max: ["maximum", "maxLength", "maxItems"],
  minimum: ["minLength", "minItems"],
  maximum: ["maxLength", "maxItems"],
  minlength: ["minimum", "minItems"],
  maxlength: ["maximum", "maxItems"],
  length: ["maxLength"],
  alt: ["description"],
  alttext: ["description"],
  caption: ["description"],
  help: ["description"],
  hint: ["description"],
  title: ["name"],
  label: ["name"],
  displayname: ["name"],
  id: ["key"],
  slug: ["key", "id"],
  model: ["modelId", "models"],
  contenttype: ["modelId", "mimeType"],
  type: ["modelId", "mimeType"],
  fields: ["data"],
  values: ["data", "options"],
  content: ["data", "layoutContentId"],
  published: ["draft"],
  expires: ["unpublishAt"],
  expiresat: ["unpublishAt"],
  language: ["locale"],
  lang: ["locale"],
  fallback: ["fallbackLocales"],
  layout: ["layoutName"],
  template: ["layoutName"],
  entry: ["layoutContentId"],
  entryid: ["layoutContentId"],
  contententryid: ["layoutContentId"],
  steps: ["stepIds"],
  mandatory: ["required"],
  multiple: ["repeatable"],
  list: ["repeatable"],
  array: ["repeatable"],
  choices: ["options"],
  enum: ["options"],
  regex: ["pattern"],
  regexp: ["pattern"],
  translatable: ["localized"],
  name: ["fileName"],
  path: ["file"],
  src: ["file", "url"],
  href: ["url"],
  mime: ["mimeType"],
  size: ["sizeBytes"],
};

/**
 * W4d: the member that is meant by a name which a record cannot have.
 *
 * @param free the members that it could have, and has not.
 * @param isList of a field with several values, which limits rather their number.
 */
export function nearMember(
  name: string,
  free: readonly string[],
  isList = false,
): string | undefined {
  const folded = name.toLowerCase();
  const isSame = (one: string) => one.toLowerCase() === folded;
  const listed = isList ? ownList(folded).toReversed() : ownList(folded);
  return free.find(isSame) ?? listed.find((one) => free.includes(one)) ?? didYouMean(name, free);
}

function ownList(name: string): readonly string[] {
  return Object.hasOwn(CALLED_ELSEWHERE, name) ? (CALLED_ELSEWHERE[name] ?? []) : [];
}
