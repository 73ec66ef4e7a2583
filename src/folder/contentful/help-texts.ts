import { isJsonObject, type JsonValue } from "../../workspace/json.ts";

/** The help texts that editor interfaces give to fields. */
export class HelpTexts {
  readonly #texts = new Map<string, string>();

  constructor(editorInterfaces: readonly JsonValue[]) {
    for (const one of editorInterfaces) {
      const type = at(one, "sys", "contentType", "sys", "id");
      const controls = at(one, "controls");
      for (const control of Array.isArray(controls) ? (controls as readonly JsonValue[]) : []) {
        const text = at(control, "settings", "helpText");
        if (typeof text === "string" && text.trim() !== "") {
          this.#texts.set(JSON.stringify([type, at(control, "fieldId")]), text.trim());
        }
      }
    }
  }

  of(contentType: string, fieldId: string): string | undefined {
    return this.#texts.get(JSON.stringify([contentType, fieldId]));
  }
}

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (from, name) => (isJsonObject(from) && Object.hasOwn(from, name) ? from[name] : undefined),
    value,
  );
}
