import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { filePath } from "../../src/documents/address.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { randomRuns } from "../support/random-runs.ts";
import { MEANT, TestBed } from "../support/test-bed.ts";
import { NEIGHBOUR } from "../support/workspaces/random-workspace.ts";
import {
  forEachWorkspace,
  previewTexts,
  publishOutcome,
  servedEntries,
  shuffledWorkspace,
} from "./workspace-laws.ts";

const SCHEMA_PATH = filePath({ kind: "schema", projectId: "web" });

it("service.md: published and preview are the same bytes but for version id and source", () => {
  forEachWorkspace({ faulty: false, numRuns: 20 }, (bed) => {
    const { versionId } = bed.publish({ workspace: "w" });
    const preview = previewTexts(bed);
    const paths = pathsBelow(bed.out).filter((path) => path.startsWith("api/"));
    expect(paths).toEqual([...preview.keys()].sort());
    for (const path of paths) {
      const published = readFileSync(join(bed.out, path), "utf8");
      expect(published.split(versionId)).toHaveLength(2);
      const replaced = published
        .replace(`"${versionId}"`, "null")
        .replace(/^( {2}"x-svc-source": )"published"/m, '$1"preview"');
      expect(replaced).toBe(preview.get(path));
    }
  });
});

it("S4: published entries, with their blocks, and fields validate against their published schema", () => {
  forEachWorkspace({ faulty: false, numRuns: 20 }, (bed, { models, projects }) => {
    bed.publish({ workspace: "w" });
    for (const { id: projectId, experiences } of projects) {
      const schema = new CompiledSchema(bed.file({ kind: "schema", projectId }));
      expect(schema.faults("fields", bed.file({ kind: "project", projectId }).fields)).toEqual([]);
      for (const { id: experienceId } of experiences) {
        const document = bed.file({ kind: "content", projectId, experienceId });
        for (const entry of [...(document?.content ?? []), ...(document?.references ?? [])]) {
          const model = models.find(({ key }) => key === entry.contentModelKey);
          if (model === undefined) continue;
          expect(schema.faults(`contentModels/${model.key}`, entry.data)).toEqual([]);
        }
      }
    }
  });
});

it("S1: the schema compiles in ajv's strict mode, with every definition in it", () => {
  forEachWorkspace({ faulty: false, numRuns: 30 }, (bed, { models, blocks }) => {
    const schema = new CompiledSchema(JSON.parse(previewTexts(bed).get(SCHEMA_PATH) ?? "{}"));
    const names = ["fields", "featureKeys", "experienceKeys", "stepKeys"];
    names.push(...models.map(({ key }) => `contentModels/${key}`));
    names.push(...blocks.map(({ key }) => `contentBlocks/${key}`));
    for (const name of names) expect(schema.definition(name)).toBeTypeOf("function");
  });
});

it("R2: the order of records, of members and of variants changes no byte and no version id", () => {
  const bed = new TestBed(NEIGHBOUR);
  const law = fc.property(shuffledWorkspace, ([parts, shuffled]) => {
    bed.import(parts);
    const { versionId } = bed.publish({ workspace: "w" });
    const texts = previewTexts(bed);
    bed.import(shuffled);
    expect(previewTexts(bed)).toEqual(texts);
    const again = bed.publish({ workspace: "w" });
    expect(again).toMatchObject({ versionId, published: false, files: { written: 0, removed: 0 } });
  });
  fc.assert(law, { numRuns: randomRuns(15) });
});

it("S4: an entry or project that violates the schema has an error", () => {
  forEachWorkspace({ faulty: true, numRuns: 60 }, (bed, { projects }) => {
    const texts = previewTexts(bed);
    const schema = new CompiledSchema(JSON.parse(texts.get(SCHEMA_PATH) ?? "{}"));
    const errors = bed.check("w", MEANT).filter(({ level }) => level === "error");
    const withError = errors.map(({ at }) => `${at.kind} ${at.id}`);
    // A misspelt option is one error, for all values that it refuses.
    fc.pre(errors.every(({ code }) => code !== "option-unknown"));
    const violations: string[] = [];
    for (const { id, modelKey, data } of servedEntries(bed)) {
      const faults = schema.faults(`contentModels/${modelKey}`, data);
      if (faults.length === 0) continue;
      violations.push(`entry ${id}`);
    }
    for (const { id: projectId } of projects) {
      const config = JSON.parse(texts.get(filePath({ kind: "project", projectId })) ?? "{}");
      const faults = schema.faults("fields", config.fields);
      if (faults.length === 0) continue;
      violations.push(`project ${projectId}`);
    }
    fc.pre(violations.length > 0);
    expect(withError).toEqual(expect.arrayContaining(violations));
  });
});

it("P1: a place has at most one problem of a code, so the order of problems is total", () => {
  forEachWorkspace({ faulty: true, numRuns: 80 }, (bed) => {
    const problems = bed.check("w");
    const places = problems.map(({ code, at }) => `${code} ${at.kind} ${at.id} ${at.path}`);
    fc.pre(places.length > 1);
    expect(new Set(places).size).toBe(problems.length);
  });
});

it("R4: a draft with an error is refused, any other is published", () => {
  forEachWorkspace({ faulty: true, numRuns: 20 }, (bed) => {
    const hasError = bed.check("w", MEANT).some(({ level }) => level === "error");
    expect(publishOutcome(bed)).toBe(hasError ? "draft-has-problems" : "published");
  });
});
