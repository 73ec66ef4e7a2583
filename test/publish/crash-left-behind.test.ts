import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEMPORARY } from "../../src/files/folder.ts";
import { bytesBelow, foldersBelow } from "../support/file-tree.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { bytesOf, NEW, OLD, PHOTO, publishStopped, stoppedBed } from "./stopped-bed.ts";

/** Shows the same photo as NEW, in a project of its own. */
const NEIGHBOUR = { ...NEW, id: "neighbour", projects: [projectOf("other", "more")] };

const FOREIGN = ["robots.txt", "assets/mine/photo.png", "api/v1/notes.txt", "api/v1/.svc-x.tmp"];

function put(out: string, path: string): void {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), `this is ${path}`);
}

describe("F5: files left behind by an interrupted write", () => {
  it.each([1, 3, 5, 7])(
    "are kept when another workspace writes to the same folder (after %i files)",
    (count) => {
      const { bed, current } = stoppedBed(OLD, NEW, count);
      const left = bytesBelow(bed.out);
      bed.import(NEIGHBOUR);
      bed.publish({ workspace: "neighbour" });
      for (const [path, bytes] of Object.entries(left)) {
        if (!/^(manifest|\.svc-writing)\.json$/.test(path)) {
          expect(bytesBelow(bed.out)[path], path).toBe(bytes);
        }
      }
      const interrupted = [{ workspaceId: "w", versionId: current }];
      expect(bed.verify()).toMatchObject({ ok: false, interrupted });

      bed.write("w");
      expect(bytesBelow(bed.out)).toEqual(bytesOf(NEW, NEIGHBOUR));
      expect(bed.verify().ok).toBe(true);
    },
  );

  it("of two workspaces are reported for both, and each completes its own", () => {
    const { bed } = stoppedBed(OLD, NEW, 4);
    bed.import(NEIGHBOUR);
    expect(publishStopped(bed, 3, "neighbour")).toBe(true);
    const interrupted = () => bed.verify().interrupted?.map(({ workspaceId }) => workspaceId);
    expect(interrupted()).toEqual(["neighbour", "w"]);
    bed.write("neighbour");
    expect(interrupted()).toEqual(["w"]);
    bed.write("w");
    expect(bytesBelow(bed.out)).toEqual(bytesOf(NEW, NEIGHBOUR));
  });

  it("of an asset that two workspaces publish are kept while one of them needs it", () => {
    const { bed, old } = stoppedBed(OLD, NEW, 4);
    bed.import(NEIGHBOUR);
    expect(publishStopped(bed, 3, "neighbour")).toBe(true);
    expect(existsSync(join(bed.out, PHOTO.path))).toBe(true);
    bed.rollback(old, "w");
    expect(existsSync(join(bed.out, PHOTO.path))).toBe(true);
    bed.write("neighbour");
    expect(bytesBelow(bed.out)).toEqual(bytesOf(OLD, NEIGHBOUR));
  });

  it.each(["complete", "roll back"] as const)(
    "are removed, and other files are kept: %s",
    (how) => {
      const { bed, old } = stoppedBed(OLD, NEW, 5);
      for (const path of FOREIGN) put(bed.out, path);
      if (how === "complete") bed.write();
      else bed.rollback(old);
      const foreign = Object.fromEntries(FOREIGN.map((path) => [path, `this is ${path}`]));
      const right = bytesOf(how === "complete" ? NEW : OLD);
      expect(bytesBelow(bed.out)).toEqual({ ...right, ...foreign });
      expect(bed.verify().interrupted).toBeUndefined();
    },
  );

  it("the temporary file and empty folders are reported, and removed by the next write", () => {
    const bed = new TestBed(OLD);
    bed.publish();
    for (const path of [TEMPORARY, ".svc-writing.json"]) put(bed.out, path);
    mkdirSync(join(bed.out, "api/v1/projects/gone/experiences"), { recursive: true });
    const verified = bed.verify();
    expect(verified).toMatchObject({ ok: false, interrupted: [] });
    expect(verified.differs.map(({ path }) => path).sort()).toEqual([TEMPORARY]);

    bed.write();
    expect(bytesBelow(bed.out)).toEqual(bytesOf(OLD));
    expect(foldersBelow(bed.out)).not.toContain("api/v1/projects/gone");
  });

  it("the lock file of a killed process has no effect", () => {
    const bed = new TestBed(OLD);
    bed.publish();
    writeFileSync(join(bed.out, ".svc-lock"), "");
    expect(bed.verify()).toMatchObject({ ok: true, differs: [] });
    expect(bed.write().files.written).toBe(0);
    expect(bytesBelow(bed.out)).toEqual(bytesOf(OLD));
  });

  it.each(["", "{", "[]", '{"w":1}', '{"w":{"versionId":"x","files":["../robots.txt",1]}}'])(
    "an unreadable write journal is ignored: %j",
    (text) => {
      const bed = new TestBed(OLD);
      bed.publish();
      put(bed.folder, "robots.txt");
      writeFileSync(join(bed.out, ".svc-writing.json"), text);
      bed.write();
      expect(bytesBelow(bed.out)).toEqual(bytesOf(OLD));
      expect(existsSync(join(bed.folder, "robots.txt"))).toBe(true);
    },
  );
});
