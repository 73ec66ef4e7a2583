/** H40: the addresses by which editors open a file, by their names. */
const EDITORS: Readonly<Record<string, string>> = {
  vscode: "vscode://file{path}:{line}:{column}",
  cursor: "cursor://file{path}:{line}:{column}",
  windsurf: "windsurf://file{path}:{line}:{column}",
  zed: "zed://file{path}:{line}:{column}",
  idea: "idea://open?file={path}&line={line}&column={column}",
  webstorm: "webstorm://open?file={path}&line={line}&column={column}",
  none: "",
};

/** Schemes that a browser follows itself. */
const NO_EDITORS =
  /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|https?|wss?|ftp|mailto|tel):/i;

/**
 * H40: the template of an editor's name, or a template itself; empty: no links.
 *
 * @throws Error with what is wrong with it.
 */
export function editorTemplate(given: string): string {
  const known = Object.hasOwn(EDITORS, given) ? EDITORS[given] : undefined;
  if (known !== undefined) return known;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(given) || !given.includes("{path}")) {
    const names = Object.keys(EDITORS).join(", ");
    throw new Error(`must be one of ${names}, or a template with {path}, {line}, {column}`);
  }
  if (NO_EDITORS.test(given)) throw new Error("must have the scheme of an editor");
  return given;
}

/** The address that opens a file in an editor; what is in the path is percent-encoded. */
export function editorLink(template: string, path: string, { line = 1, column = 1 }): string {
  const names = path.replaceAll("\\", "/").split("/");
  const isDrive = /^[a-z]:$/i.test(names[0] ?? "");
  const encoded = names.map((name, at) => (isDrive && at === 0 ? name : encodeURIComponent(name)));
  const values: Record<string, string> = { line: String(line), column: String(column) };
  return template.replaceAll(/(.?)\{(path|line|column)\}/gs, (_, before: string, name: string) => {
    // C:/x is a path of its own in a query, and /C:/x in an address.
    const slash = isDrive && /[^/=]/.test(before) ? "/" : "";
    return before + (values[name] ?? slash + encoded.join("/"));
  });
}
