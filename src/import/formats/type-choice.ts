/** X24d: the type that `--types` says of a field. */
export interface TypeChoice {
  /** Its name, or that of its type, a dot and its name. */
  readonly field: string;
  readonly type: string;
  readonly isList: boolean;
  /** Whether the last import was told so: a field that is gone since is no fault. */
  readonly isKept?: boolean;
}

/** @returns undefined for what is not `<field>=<type>`. */
export function typeChoice(text: string): TypeChoice | undefined {
  const [, field, type, brackets] = /^(.+)=([^=]+?)(\[\])?$/.exec(text) ?? [];
  if (field === undefined || type === undefined) return undefined;
  return { field, type, isList: brackets !== undefined };
}

export function typeChoiceText({ field, type, isList }: TypeChoice): string {
  return `${field}=${type}${isList ? "[]" : ""}`;
}
