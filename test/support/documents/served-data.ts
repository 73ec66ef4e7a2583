import type { Address } from "../../../src/documents/address.ts";
import type { JsonObject } from "../../../src/workspace/json.ts";
import type { Problem } from "../../../src/workspace/problem.ts";
import { documentOn, type Parts, type SURFACES, TestBed } from "../test-bed.ts";
import type { RandomField } from "../workspaces/random-fields.ts";
import { projectOf } from "../workspaces/small-workspace.ts";

/** The experience that shows the entry `home` of `withEntry`. */
const HOME: Address = { kind: "content", projectId: "site", experienceId: "home" };

/** The entry `home` of a model `subject` with these fields, in a document; `more` is added. */
export function withEntry(fields: readonly RandomField[], data: JsonObject, more: Parts = {}) {
  return {
    ...more,
    models: [{ id: "subject", key: "subject", name: "Subject", fields }, ...(more.models ?? [])],
    entries: [{ id: "home", modelId: "subject", data }, ...(more.entries ?? [])],
    projects: [projectOf("site", "home")],
  } satisfies Parts;
}

/** The experience content that shows the entry `home` of the workspace `w`. */
export function contentOn(bed: TestBed, surface: (typeof SURFACES)[number]) {
  return documentOn(bed, surface, HOME, "w");
}

/** The data of the entry `home` as the surface serves it. */
export function dataOn(
  surface: (typeof SURFACES)[number],
  fields: readonly RandomField[],
  data: JsonObject,
  more: Parts = {},
) {
  return contentOn(new TestBed(withEntry(fields, data, more)), surface).content[0].data;
}

/** Problems without their arguments, each as `<level> <code> <kind> <id>#<path>`. */
export function summaries(problems: readonly Problem[]): string[] {
  return problems.map(({ level, code, at }) => `${level} ${code} ${at.kind} ${at.id}#${at.path}`);
}

/** The problems of the workspace `w`, with these workspaces in one store. */
export function problemsOf(...workspaces: readonly Parts[]): string[] {
  return summaries(new TestBed(...workspaces).check("w"));
}
