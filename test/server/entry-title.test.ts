import { describe, expect, it } from "vitest";
import { titleOf } from "../../src/server/page/entry-title.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";

describe("W6: the title of an entry", () => {
  const titled = (data: Record<string, string>, ...fields: FieldDefinition[]) =>
    titleOf({ id: "e", modelId: "m", data }, { id: "m", key: "m", name: "M", fields });
  const name = { key: "name", type: "text" };
  const code = { key: "code", type: "select", title: true };

  it("W6: is the value of the title field, before that of a field with a usual key", () => {
    const data = { name: "A name", code: "A code" };
    expect(titled(data, name, code)).toBe("A code");
    expect(titled(data, name, { ...code, title: false })).toBe("A name");
    expect(titled({ name: "A name" }, name, code)).toBe("A name");
    expect(titled({}, name, code)).toBe("e");
  });
});
