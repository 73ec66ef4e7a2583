import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import type { SvcError } from "../../src/workspace/errors.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const CONTENT = "api/v1/projects/site/experiences/home/content.json";

describe("R5: a failure after the version is committed", () => {
  it("names the version, and says that svc write completes the files", () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    bed.import(smallWorkspace({ entries: [page("home", "Another home")] }));
    let failure: SvcError | undefined;
    try {
      publish(inStore(bed.store, "w"), bed.out, {
        strict: false,
        keep: 20,
        now: new Date(),
        // After the plan was made, a folder takes the place of a file.
        onProgress: (_done, _total, what) => {
          if (what !== "files written" || failure !== undefined) return;
          rmSync(join(bed.out, "manifest.json"), { recursive: true });
          mkdirSync(join(bed.out, "manifest.json"));
          writeFileSync(join(bed.out, "manifest.json", "x"), "");
        },
      });
    } catch (error) {
      failure = error as SvcError;
    }
    const versionId = bed.store.history.current(bed.store.workspace("w").number);
    expect(failure).toMatchObject({ code: "out-obstructed" });
    expect(failure?.message).toContain(`version ${versionId} is the current one in the store`);
    expect(failure?.hint).toMatch(/svc write completes the files$/);

    rmSync(join(bed.out, "manifest.json"), { recursive: true });
    bed.write();
    expect(bed.file(CONTENT)).toMatchObject({ versionId });
    expect(bed.verify()).toMatchObject({ ok: true });
  });
});
