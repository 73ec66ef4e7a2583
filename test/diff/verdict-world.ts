import { expect } from "vitest";
import type { Feature, Project, Step } from "../../src/workspace/records.ts";
import type { Parts } from "../support/test-bed.ts";
import { diffOf, told } from "./differ.ts";

export const text = (key: string) => ({ key, type: "text" });
export const model = (key: string, name = key, ...fields: Parts["fields"] & object) => ({
  id: `m-${key}`,
  key,
  name,
  fields,
});
export const flag = (
  key: string,
  type: Feature["type"] = "boolean",
  ...values: string[]
): Feature => ({
  id: `f-${key}`,
  key,
  name: key,
  type,
  ...(type === "text" && { variants: values.map((one) => ({ id: one, key: one, name: one })) }),
});
export const off = (key: string) => ({ id: key, key, name: key, value: false as const });
export const step = (key: string, layoutContentId?: string, id = `s-${key}`): Step => ({
  ...{ id, key, name: key, layoutName: "Plain" },
  ...(layoutContentId && { layoutContentId }),
});
export const experience = (key: string, id = `x-${key}`) => ({ id, key, name: key, stepIds: [] });
export const project = (
  id: string,
  steps: Step[],
  ...experiences: ReturnType<typeof experience>[]
) => ({
  ...{ id, name: id, steps, experiences },
});

export const P = project("p", [step("intro", "home"), step("end")], experience("tour"));
export const Q = project("q", [], experience("other"));
export const BASE: Parts = {
  models: [model("page", "Page", text("title")), model("note")],
  blocks: [
    { ...model("hero"), id: "b-hero" },
    { ...model("wide"), id: "b-wide" },
  ],
  features: [flag("beta"), flag("layout", "text", "a", "b")],
  entries: [
    { id: "home", modelId: "m-page", data: {} },
    { id: "memo", modelId: "m-note", data: {} },
  ],
  projects: [P, Q],
};
export const [PAGE, NOTE] = BASE.models ?? [];
export const [HERO, WIDE] = BASE.blocks ?? [];
const FIRST = BASE.features?.[0] as Feature;

export const models = (...all: (typeof PAGE)[]): Parts => ({
  models: all as NonNullable<typeof PAGE>[],
});
export const blocks = (...all: (typeof HERO)[]): Parts => ({
  blocks: all as NonNullable<typeof HERO>[],
});
export const features = (...all: Feature[]): Parts => ({ features: [FIRST, ...all] });
export const steps = (...all: Step[]): Parts => ({ projects: [{ ...P, steps: all }, Q] });
export const experiences = (...all: ReturnType<typeof experience>[]): Parts => ({
  projects: [{ ...P, experiences: all }, Q],
});
export const projects = (...all: Project[]): Parts => ({ projects: all });

/** [what changes in the workspace, the change, what is told, what of the way back, of which]. */
export type Row = [string, Parts, string[], string[], string[]?];

/** Checks what is told of the change of `BASE`, both ways. */
export function checkRow(...[, change, forth, back, whose = ["p", "q"]]: Row): void {
  const diff = diffOf(BASE, { ...BASE, ...change });
  expect(diff.forth.schema.map(told).sort()).toEqual(forth);
  expect(diff.back.schema.map(told).sort()).toEqual(back);
  for (const { schema, summary } of [diff.forth, diff.back]) {
    const found = [...new Set(schema.flatMap(({ projects: all }) => all))].sort();
    expect(found).toEqual(schema.length === 0 ? [] : whose);
    const breaking = schema.filter(({ verdict }) => verdict === "breaking");
    expect(schema.slice(0, breaking.length), "breaking ones first").toEqual(breaking);
    expect(summary).toMatchObject({
      breaking: breaking.length,
      safe: schema.length - breaking.length,
    });
    for (const { message } of schema) expect(message).not.toMatch(/undefined|\[object/);
  }
}
