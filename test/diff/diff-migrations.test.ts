import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { Parts } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { diffOf } from "./differ.ts";

const text = (key: string, more: object = {}): FieldDefinition => ({ key, type: "text", ...more });

const parts = (fields: readonly FieldDefinition[], heroFields = fields): Parts => ({
  fields,
  models: [{ id: "m", key: "page", name: "Page", fields }],
  blocks: [{ id: "b", key: "hero", name: "Hero", fields: heroFields }],
  projects: ["p", "q"].map((id) => ({ id, name: id, steps: [], experiences: [] })),
});

/** The migrations of each change that has some, by the place. */
function migrations(before: Parts, after: Parts): Record<string, readonly string[]> {
  const { schema } = diffOf(before, after).forth;
  const having = schema.filter(({ migrations }) => migrations !== undefined);
  return Object.fromEntries(
    having.map(({ at, migrations = [] }) => [`${at.kind} ${at.key} ${at.field}`, migrations]),
  );
}

describe("D5: a removed field comes with the migration that would have kept its values", () => {
  const rename = (owner: string, from: string, to: string) =>
    `svc migrate <folder> rename-field ${owner} ${from} ${to}`;

  it("D5: for a new field of the same type, of models and blocks, whatever its limits and name", () => {
    const before = parts([text("title", { maxLength: 9 }), text("other")]);
    const after = parts([text("headline", { name: "Headline" }), text("other")]);
    expect(migrations(before, after)).toEqual({
      "model page title": [rename("page", "title", "headline")],
      "block hero title": [rename("block:hero", "title", "headline")],
    });
    const { schema } = diffOf(before, after).forth;
    expect(schema.filter(({ migrations }) => migrations).map(({ code }) => code)).toEqual([
      "field-removed",
      "field-removed",
    ]);
  });

  it("D5: each new field of the type is named", () => {
    const before = parts([text("a")], []);
    const after = parts([text("c"), text("b"), { key: "n", type: "number" }], []);
    expect(migrations(before, after)).toEqual({
      "model page a": [rename("page", "a", "b"), rename("page", "a", "c")],
    });
  });

  it.each<[string, readonly FieldDefinition[], readonly FieldDefinition[]]>([
    ["another type", [text("a")], [{ key: "b", type: "number" }]],
    ["a list", [text("a")], [text("b", { repeatable: true })]],
    ["a field that was there", [text("a"), text("b")], [text("b")]],
    [
      "other options",
      [{ key: "a", type: "select", options: ["x", "y"] } as FieldDefinition],
      [{ key: "b", type: "select", options: ["x"] } as FieldDefinition],
    ],
  ])("D5: there is none to %s", (_what, before, after) => {
    expect(migrations(parts(before), parts(after))).toEqual({});
  });

  it("D5: there is none for a field whose served values are under the new one already", () => {
    const served = (key: string, ...values: string[]): Parts => ({
      ...parts([text(key)]),
      models: [
        { id: "m", key: "page", name: "Page", fields: [text(key)] },
        {
          id: "l",
          key: "list",
          name: "List",
          fields: [{ key: "heroes", type: "content-block", repeatable: true }],
        },
      ],
      entries: [
        ...values.map((value, at) => ({ id: `e${at}`, modelId: "m", data: { [key]: value } })),
        {
          id: "l",
          modelId: "l",
          data: {
            heroes: values.map((value) => ({ contentBlockId: "b", data: { [key]: value } })),
          },
        },
      ],
      projects: [projectOf("p", "l", ...values.map((_, at) => `e${at}`))],
    });
    const [before, moved] = [served("a", "x", "y"), served("b", "x", "y")];
    expect(migrations(before, moved)).toEqual({});
    const lost = { ...moved, entries: before.entries ?? [] };
    expect(migrations(before, lost)).toEqual({
      "model page a": [rename("page", "a", "b")],
      "block hero a": [rename("block:hero", "a", "b")],
    });
    // One value of two is lost.
    const [first, ...others] = before.entries ?? [];
    const partly = { ...moved, entries: [first, ...(moved.entries ?? []).slice(1)] } as Parts;
    expect(others).toHaveLength(2);
    expect(migrations(before, partly)).toEqual({ "model page a": [rename("page", "a", "b")] });
  });

  it("D5: a field of another model is none", () => {
    expect(migrations(parts([text("a")], []), parts([], [text("b")]))).toEqual({});
  });
});
