/**
 * F2, written down apart from the program: members sorted by code unit; with an `indent`, a line
 * for each member and element. No final newline.
 */
export function canonicalForm(value: unknown, indent = "", margin = "\n"): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent === "" ? "" : margin + indent;
  const outer = indent === "" ? "" : margin;
  const form = (part: unknown) => canonicalForm(part, indent, margin + indent);
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[${value.map((element) => inner + form(element)).join(",")}${outer}]`;
  }
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) return "{}";
  const colon = indent === "" ? ":" : ": ";
  return `{${members.map(([name, member]) => inner + JSON.stringify(name) + colon + form(member)).join(",")}${outer}}`;
}
