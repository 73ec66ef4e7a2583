import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { titled } from "../support/publish/published-versions.ts";
import { newStore } from "../support/store/new-store.ts";
import { source } from "../support/test-bed.ts";
import { publishedBed } from "./published-bed.ts";

const AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const HOLD = { at: AT, by: expect.any(String), reason: null };
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

describe("cli.md: svc versions and svc rollback", () => {
  it("with --json print exactly the documented members", () => {
    const { bed, versions } = publishedBed("One", "Two");
    const [one = "", two] = versions;
    expect(bed.json(0, "rollback", one.slice(0, 6))).toEqual({
      workspaceId: "w",
      versionId: one,
      from: two,
      rolledBack: true,
      files: { written: 4, unchanged: 1, removed: 0 },
      hold: HOLD,
    });
    const listing = {
      workspaceId: "w",
      current: one,
      versions: [
        { versionId: two, publishedAt: AT, clock: expect.any(String) },
        { versionId: one, publishedAt: AT, clock: expect.any(String) },
      ],
      journal: [
        { at: AT, action: "rollback", from: two, to: one },
        { at: AT, action: "publish", from: one, to: two },
        { at: AT, action: "publish", from: null, to: one },
      ],
      hold: HOLD,
    };
    expect(bed.json(0, "versions")).toEqual(listing);
    expect(bed.json(0, "versions", "--journal")).toEqual(listing);
    expect(bed.json(0, "rollback", one)).toMatchObject({ from: one, rolledBack: false });
  });

  it("R6c: a rollback to what is current already begins no hold; one that there is gets another reason", () => {
    const { bed, versions } = publishedBed("One", "Two");
    const [one = "", two = ""] = versions;
    const { stdout, stderr } = bed.ok("rollback", two);
    expect(stdout).toContain(`${two} of "w" is already current\n`);
    expect(stderr).toBe("nothing was rolled back, so nothing is held\n");
    expect(bed.json(0, "rollback", two)).toMatchObject({ rolledBack: false, hold: null });
    bed.ok("rollback", one, "--reason", "wrong");
    const again = bed.json(0, "rollback", one, "--reason", "still wrong");
    expect(again).toMatchObject({ rolledBack: false, hold: { reason: "still wrong" } });
  });

  it("as text, list the newest first and mark the current one, which a rollback changes", () => {
    const { bed, versions } = publishedBed("One", "Two");
    const [one = "", two] = versions;
    const bytes = bytesBelow(bed.path("out"));
    const rolledBack = bed.ok("rollback", one.slice(0, 8));
    expect(rolledBack.stdout).toContain(`"w" back from version ${two} to ${one}\n`);
    expect(rolledBack.stdout).toContain("out: 4 files written, 1 unchanged, 0 removed\n");
    expect(rolledBack.stderr).toMatch(/draft/);

    expect(bed.ok("versions").stdout).toMatch(
      new RegExp(
        `^  ${two}  ${TIME}\n\\* ${one}  ${TIME}  current\n"w": 2 versions\n"w" is held since ${TIME}, by .*\n$`,
      ),
    );
    const arrow = (from: string, to = "") => `${from} +→ ${to}`;
    expect(bed.ok("versions", "--journal").stdout).toMatch(
      new RegExp(
        [
          `^${TIME}  rollback   ${arrow(two ?? "", one)}`,
          `${TIME}  publish    ${arrow(one, two)}`,
          `${TIME}  publish    ${arrow("nothing", one)}`,
          '"w": 3 changes\n"w" is held',
        ].join("\n"),
      ),
    );
    const again = bed.ok("rollback", one, "--quiet");
    expect(again.stdout).toMatch(/already current\nout: 0 files written/);
    expect(again.stderr).toBe("");
    bed.ok("resume");
    bed.ok("publish");
    expect(bytesBelow(bed.path("out"))).toEqual(bytes);
  });

  it("say so if nothing was published yet", () => {
    const bed = new CliBed();
    const store = newStore(bed.path("workspace.db"));
    store.import(source(titled("One")), new Date());
    store.close();
    const empty = { workspaceId: "w", current: null, versions: [], journal: [], hold: null };
    expect(bed.json(0, "versions")).toEqual(empty);
    expect(bed.ok("versions").stdout).toBe('"w": 0 versions\n');
    expect(bed.failure(4, "rollback", "0")[0]).toContain("never published");
  });

  it("rollback without an id is wrong usage, and writes to the folder that --out names", () => {
    const { bed, versions } = publishedBed("One", "Two");
    expect(bed.failure(2, "rollback")[0]).toContain("versionId");
    const out = bytesBelow(bed.path("out"));
    bed.ok("rollback", versions[0] ?? "", "--out", "elsewhere");
    expect(bytesBelow(bed.path("out"))).toEqual(out);
    expect(Object.keys(bytesBelow(bed.path("elsewhere")))).toEqual(Object.keys(out));
  });
});
