import { posix } from "node:path";
import jsonc from "jsonc-parser";
import { KINDS, type Kind } from "../../workspace/records.ts";

/** Below a workspace folder. */
export function schemaFile(kind: Kind | "workspace"): string {
  return `.svc/${kind}.schema.json`;
}

/**
 * Adds the schemas of a workspace folder to the text of a `.vscode/settings.json`, or replaces them
 * there. Everything else stays, comments too.
 *
 * @param folder the path of the workspace folder from the folder that is opened, with `/`.
 */
export function withSchemas(settings: string, folder: string): string {
  let text = settings.trim() === "" ? "{}\n" : settings;
  for (const kind of ["workspace", ...KINDS] as const) {
    const url = `./${posix.join(folder, schemaFile(kind))}`;
    const names = kind === "workspace" ? [kind] : [kind, `${kind}/**/*`];
    const fileMatch = ["json", "jsonc"].flatMap((extension) =>
      names.map((name) => posix.join(folder, `${name}.${extension}`)),
    );
    const known: unknown = jsonc.parse(text)?.["json.schemas"];
    const schemas = Array.isArray(known) ? (known as { url?: unknown }[]) : [];
    const at = schemas.findIndex((one) => one?.url === url);
    const path = ["json.schemas", at < 0 ? schemas.length : at];
    const edits = jsonc.modify(
      text,
      path,
      { fileMatch, url },
      {
        formattingOptions: { tabSize: 2, insertSpaces: true, eol: "\n" },
        isArrayInsertion: at < 0,
      },
    );
    text = jsonc.applyEdits(text, edits);
  }
  return text;
}
