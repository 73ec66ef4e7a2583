import fc from "fast-check";
import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { randomRuns, SEED } from "../support/random-runs.ts";
import { TestBed } from "../support/test-bed.ts";
import { NEIGHBOUR, randomWorkspace } from "../support/workspaces/random-workspace.ts";
import { draftProjects, fixtureProjects, type ServedProject } from "./served-projects.ts";
import { compile, documentsFile } from "./type-checking.ts";

/** Of each project: its types, and its documents as constants of these types. */
function filesOf(projects: readonly ServedProject[]): Map<string, string> {
  return new Map(
    projects.flatMap(({ name, schema, documents }) => [
      [`${name}.ts`, generateTypes([{ document: schema }], { constants: true })],
      [`${name}.served.ts`, documentsFile(`./${name}.ts`, documents)],
    ]),
  );
}

it("T1: the types of every fixture compile in strict mode, and every served document matches them", async () => {
  const projects = fixtureProjects();
  expect(projects.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["storefront-prj-web-published", "storefront-prj-kiosk-preview"]),
  );
  expect(projects.flatMap(({ documents }) => documents).length).toBeGreaterThan(20);
  expect(compile(filesOf(projects))).toEqual([]);
});

it("T1: the types of random workspaces compile in strict mode, and every served document matches them", async () => {
  const drafts = fc.sample(randomWorkspace({ faulty: false }), randomRuns(100));
  const projects = drafts.flatMap((parts, index) =>
    draftProjects(new TestBed(NEIGHBOUR, parts), `random-${index}`, "w"),
  );
  // P17, T12: a publish would refuse those whose required references lead nowhere.
  const files = [...filesOf(projects)].map(([name, text]) => {
    return [name, text.replaceAll(": RequiredPointer", ": Pointer")] as const;
  });
  expect(compile(new Map(files)), `seed ${SEED}`).toEqual([]);
});
