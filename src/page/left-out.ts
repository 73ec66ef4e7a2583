import type { FieldView } from "./field-views.ts";

/** H27: whether a place is in a locale of a field that is not shown. */
export function isLeftOut(fields: readonly FieldView[], at: string): boolean {
  const isAt = (path: string) => at === path || at.startsWith(`${path}/`);
  const field = fields.find(({ path }) => isAt(path));
  if (field === undefined || field.path === at) return false;
  const { values, locales = [{ path: field.path, values }] } = field;
  const locale = locales.find(({ path }) => isAt(path));
  if (locale === undefined) return true;
  const value = locale.values.find(({ path }) => isAt(path));
  const inside = value?.inside?.find(({ path }) => isAt(path)) ?? value;
  return isLeftOut(inside?.block?.fields ?? [], at);
}
