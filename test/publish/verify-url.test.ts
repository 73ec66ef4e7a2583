import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { statesBelow } from "../support/file-tree.ts";
import { HOME, INDEX, publishedPagesBed, SCHEMA } from "../support/publish/published-pages-bed.ts";
import { hostOf, verifyAt } from "../support/server/hosts.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { documentsOf, FORGED, renameVersion, sealManifest } from "./forged.ts";

const NONE = { errors: 0, warnings: 0, byCode: {} };
const SAME = { ok: true, files: 4, differs: [] };

describe("F7: svc verify --url", { timeout: 60_000 }, () => {
  it("succeeds for svc serve, and reports the differences of another version", async () => {
    const bed = publishedPagesBed();
    const server = await ServerProcess.start("serve", "--out", bed.out);
    const cli = new CliBed();
    const args = ["verify", "--out", bed.out, "--url", `${server.client.url}/api/v1`];
    expect(cli.json(0, ...args)).toEqual({ ...SAME, counts: NONE });
    expect(cli.ok(...args).stdout).toBe(`${server.client.url}/api/v1: 4 files, all as published\n`);

    const later = new TestBed(smallWorkspace());
    later.publish();
    const { status, stdout, stderr } = cli.run("verify", "--out", later.out, ...args.slice(3));
    expect(status).toBe(1);
    expect(stdout).toMatch(/changed +api\S+: has version [0-9a-f]{32}, not [0-9a-f]{32}\n/);
    for (const path of [HOME, INDEX, SCHEMA]) expect(stdout).toContain(path);
    expect(stdout).toContain("3 files differ");
    expect(stderr).toMatch(/^hint: /);
  });

  it("compares the documents of every workspace of out/", async () => {
    const bed = new TestBed(
      smallWorkspace(),
      smallWorkspace({ id: "neighbour", projects: [projectOf("other", "home")] }),
    );
    for (const workspace of ["w", "neighbour"]) bed.publish({ workspace });
    expect(await verifyAt(bed, await hostOf(bed))).toEqual({ ok: true, files: 6, differs: [] });
  });

  it("reads only the manifest of out/, and changes nothing", async () => {
    const [bed, served] = [publishedPagesBed(), publishedPagesBed()];
    for (const part of ["api", "assets", "404.json"]) {
      rmSync(join(bed.out, part), { recursive: true });
    }
    const states = statesBelow(bed.folder);
    expect(await verifyAt(bed, await hostOf(served))).toEqual(SAME);
    expect(statesBelow(bed.folder)).toEqual(states);
    rmSync(join(bed.out, "manifest.json"));
    const missing = expect.objectContaining({ code: "manifest-missing" });
    await expect(verifyAt(bed, await hostOf(served))).rejects.toThrow(missing);
  });

  it("R1: reports a version id that is not derived from the documents, though all files agree", async () => {
    const bed = publishedPagesBed();
    const { versionId } = bed.file("manifest.json").workspaces.w;
    for (const path of documentsOf(bed)) renameVersion(bed, path, FORGED);
    sealManifest(bed, FORGED);
    expect((await verifyAt(bed, await hostOf(bed))).differs).toEqual([
      { path: "manifest.json", reason: "changed", detail: expect.stringContaining(versionId) },
    ]);
  });
});
