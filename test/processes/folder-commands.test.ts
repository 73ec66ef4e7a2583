import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, NEIGHBOUR, type Ran, STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** The bed's folder, with what a command may leave in it. */
const namesIn = (bed: CliBed) =>
  readdirSync(bed.folder)
    .filter((name) => name !== "svc.config.json")
    .sort();

/** Without the places of problems in the files of a folder, and the columns' spaces. */
function withoutPlaces({ status, stdout, stderr }: Ran): Ran {
  const plain = (text: string) => text.replace(/ {2}\S+:\d+:\d+(?= )/g, "").replace(/ +/g, " ");
  return { status, stdout: plain(stdout), stderr: plain(stderr) };
}

describe("R11: svc publish <folder>", () => {
  it("writes what import and publish write, prints the same, and leaves no store", () => {
    const bed = new CliBed(STOREFRONT);
    const two = bed.run("publish", "--out", "two");
    const one = bed.run("publish", STOREFRONT, "--out", "one");
    expect(withoutPlaces(one)).toEqual({
      ...withoutPlaces(two),
      stdout: two.stdout.replace(/^two:/m, "one:"),
    });
    expect(bytesBelow(bed.path("one"))).toEqual(bytesBelow(bed.path("two")));
    rmSync(bed.path("workspace.db"));
    expect(bed.ok("publish", STOREFRONT, "--out", "one").stdout).toMatch(/ is still version /);
    expect(namesIn(bed)).toEqual(["one", "two"]);
    const [error, hint] = bed.failure(2, "rollback", "f51", "--out", "one");
    expect(error).toContain("there is no store");
    expect(hint).toContain("svc publish <folder> keeps none");
  });

  it("with --store or SVC_STORE it imports into that store and publishes from it", () => {
    const bed = new CliBed();
    const { versionId } = bed.json(0, "publish", STARTER, "--store", "kept.db");
    bed.env = { SVC_STORE: "kept.db" };
    expect(bed.json(0, "versions").current).toBe(versionId);
    expect(bed.json(0, "publish", NEIGHBOUR, "--out", "other").workspaceId).toBe("neighbour");
    expect(bed.failure(2, "versions").join()).toContain("several workspaces");
    expect(namesIn(bed).filter((name) => name.endsWith(".db"))).toEqual(["kept.db"]);
  });

  it("refuses what an import refuses and what a publish refuses, with the same errors", () => {
    const bed = new CliBed();
    writeFileSync(bed.path("file"), "");
    mkdirSync(bed.path("empty"));
    const faulty = workspaceFolder({ "entries.json": [{ id: "a b", modelId: "m", data: {} }] });
    const wrong = workspaceFolder({
      "models.json": smallWorkspace().models ?? [],
      "entries.json": [page("home", 3 as unknown as string)],
      "projects.json": [projectOf("site", "home")],
    });
    for (const [status, folder] of [
      [2, "gone"],
      [2, "empty"],
      [2, "file"],
      [1, faulty],
    ] as const) {
      for (const command of ["publish", "check"]) {
        expect(bed.json(status, command, folder)).toEqual(bed.json(status, "import", folder));
      }
    }
    const { error } = bed.json(1, "publish", wrong);
    bed.ok("import", wrong);
    expect(error).toMatchObject(bed.json(1, "publish").error);
    expect(error.code).toBe("draft-has-problems");
    expect(bed.failure(2, "publish", wrong, "--workspace", "w").join()).toContain("--workspace");
    expect(namesIn(bed)).toEqual(["empty", "file", "workspace.db"]);
  });
});

describe("R11: svc check, svc stats and svc types of a folder", () => {
  it("check lists the problems that it lists of the store", () => {
    const bed = new CliBed(STOREFRONT);
    expect(withoutPlaces(bed.run("check", STOREFRONT))).toEqual(withoutPlaces(bed.run("check")));
    expect(bed.json(1, "check", STOREFRONT, "--strict")).toMatchObject(
      bed.json(1, "check", "--strict"),
    );
  });

  it("stats shows what it shows of the store, and leaves no store", () => {
    const bed = new CliBed(STOREFRONT);
    const [text, json] = [bed.ok("stats").stdout, bed.json(0, "stats")];
    rmSync(bed.path("workspace.db"));
    expect(bed.ok("stats", STOREFRONT).stdout).toBe(text);
    expect(bed.json(0, "stats", STOREFRONT)).toEqual(json);
    expect(namesIn(bed)).toEqual([]);
    bed.json(0, "stats", STOREFRONT, "--store", "kept.db");
    expect(bed.json(0, "stats", "--store", "kept.db")).toEqual(json);
  });

  it("types generates what it generates from the store's draft", () => {
    const bed = new CliBed(STARTER);
    const { types } = bed.json(0, "types", "--draft");
    expect(bed.json(0, "types", STARTER)).toEqual({ types });
    expect(bed.json(0, "types", STARTER, "--project", "site")).toEqual({ types });
    expect(bed.failure(2, "types", STARTER, "--project", "gone").join()).toContain("site");
    rmSync(bed.path("workspace.db"));
    expect(bed.json(0, "types", STARTER, "-o", "types.ts").written).toBe(true);
    expect(namesIn(bed)).toEqual(["types.ts"]);
  });
});
