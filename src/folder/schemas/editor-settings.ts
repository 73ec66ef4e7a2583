import { posix } from "node:path";
import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import { KINDS, type Kind } from "../../workspace/records.ts";
import { withValue } from "../json-editor.ts";
import { jsonValue } from "../json-text.ts";

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
  const text = settings.trim() === "" ? "{}\n" : settings;
  const value = jsonValue(text);
  const others = isJsonObject(value) ? value : {};
  const known = others["json.schemas"];
  const schemas = Array.isArray(known) ? [...known] : [];
  for (const kind of ["workspace", ...KINDS] as const) {
    const url = `./${posix.join(folder, schemaFile(kind))}`;
    const names = kind === "workspace" ? [kind] : [kind, `${kind}/**/*`];
    const fileMatch = ["json", "jsonc"].flatMap((extension) =>
      names.map((name) => posix.join(folder, `${name}.${extension}`)),
    );
    const at = schemas.findIndex((one: JsonValue) => isJsonObject(one) && one.url === url);
    schemas.splice(at < 0 ? schemas.length : at, 1, { fileMatch, url });
  }
  return withValue(text, { ...others, "json.schemas": schemas });
}
