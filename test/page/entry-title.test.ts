import { describe, expect, it } from "vitest";
import { titleOf } from "../../src/page/entry-summary.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Language } from "../../src/workspace/language.ts";

describe("W6: the title of an entry", () => {
  const titleIn = (
    languages: readonly Language[],
    data: JsonObject,
    ...fields: FieldDefinition[]
  ): string =>
    titleOf({ id: "e", modelId: "m", data }, { id: "m", key: "m", name: "M", fields }, languages);
  const titled = (data: JsonObject, ...fields: FieldDefinition[]) => titleIn([], data, ...fields);
  const name = { key: "name", type: "text" };
  const code = { key: "code", type: "select", title: true };

  it("W6: is the value of the title field, before that of a field with a usual key", () => {
    const data = { name: "A name", code: "A code" };
    expect(titled(data, name, code)).toBe("A code");
    expect(titled(data, name, { ...code, title: false })).toBe("A name");
    expect(titled({ name: "A name" }, name, code)).toBe("A name");
    const body = { key: "body", type: "text" };
    expect(titled({ body: "A body" }, body, name), "the model has a field for it").toBe("e");
    expect(titled({ body: "A  body\nof lines" }, { ...name, repeatable: true }, body)).toBe(
      "A body of lines",
    );
    expect(titled({}, name, code)).toBe("e");
  });

  it("W6a, B1: of a localized field it is that of the first language with one, else of any", () => {
    const localized = { ...name, localized: true };
    const data = { name: { fr: "Nom", de: " ", "en-GB": null, en: "Name" } };
    expect(titleIn([["en"], ["fr"]], data, localized)).toBe("Name");
    expect(titleIn([["en-GB", "en"], ["fr"]], data, localized)).toBe("Name");
    expect(titleIn([["de"], ["fr"]], data, localized)).toBe("Nom");
    expect(titleIn([["it"], []], data, localized)).toBe("Nom");
    expect(titled({ name: "Name" }, localized)).toBe("e");
    expect(titled({ name: { en: null } }, localized)).toBe("e");
  });
});
