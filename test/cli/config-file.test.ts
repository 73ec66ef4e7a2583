import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";

function bedWith(config: unknown, file = "svc.config.json", ...sources: string[]): CliBed {
  const bed = new CliBed(...sources);
  mkdirSync(join(bed.path(file), ".."), { recursive: true });
  writeFileSync(bed.path(file), typeof config === "string" ? config : JSON.stringify(config));
  return bed;
}

describe("N2: the config file", () => {
  it("N2b: gives options and the argument [folder] their values", () => {
    const bed = bedWith({ folder: "content", out: "site" });
    cpSync(STARTER, bed.path("content"), { recursive: true });
    expect(bed.ok("publish").stdout).toContain("site: ");
    expect(bed.json(0, "verify").files).toBeGreaterThan(3);
    expect(bed.json(0, "check", "content").problems).toEqual([]);
    expect(bed.failure(2, "check", "nowhere")[0]).toContain('"nowhere"');
  });

  it("N2b: the workspace is of commands that read the store, not of those that read a folder", () => {
    const severity = { "block-deleted": "warning", "model-missing": "warning" };
    const config = { workspace: "storefront", out: "site", severity };
    const bed = bedWith(config, undefined, STARTER, STOREFRONT);
    cpSync(STARTER, bed.path("content"), { recursive: true });
    expect(bed.json(0, "check").problems).toHaveLength(15);
    expect(bed.json(0, "export", "copy").workspaceId).toBe("storefront");
    expect(bed.json(0, "check", "content").problems).toEqual([]);
    expect(bed.json(0, "publish", "content").workspaceId).toBe("starter");
    expect(bed.json(0, "diff", "content").workspaceId).toBe("starter");
    expect(bed.json(0, "diff", "--against", "site", "content").workspaceId).toBe("starter");
    expect(bed.json(0, "types", "content").types).toContain("interface Page ");
    expect(bed.json(0, "import", "content").workspaceId).toBe("starter");
    expect(bed.failure(2, "check", "nowhere")[0]).toContain('"nowhere"');
    writeFileSync(bed.path("svc.config.json"), '{"workspace":"storefront","folder":"content"}');
    expect(bed.json(0, "stats").workspaceId).toBe("starter");
    expect(bed.failure(2, "check", "content", "--workspace", "starter")[0]).toContain(
      "--workspace",
    );
  });

  it("N2, N2c: is that of the folder, or around it in its repository, else of the working directory", () => {
    const bed = bedWith({ out: "here" });
    cpSync(STARTER, bed.path("site/content"), { recursive: true });
    const out = () => /^(\S+): /m.exec(bed.ok("publish", "site/content").stdout)?.[1];
    writeFileSync(bed.path("site/svc.config.json"), '{"out":"around"}');
    expect(out()).toBe("here");
    mkdirSync(bed.path("site/.git"));
    expect(out()).toBe("site/around");
    writeFileSync(bed.path("site/content/svc.config.json"), '{"out":"../inside"}');
    expect(out()).toBe("site/inside");
    writeFileSync(bed.path("other.json"), '{"out":"named"}');
    bed.ok("publish", "site/content", "--config", "other.json");
    expect(bed.json(0, "verify", "--out", "named").ok).toBe(true);
  });

  it("N2: that of a folder is found from where a command is started", () => {
    const bed = new CliBed();
    expect(bed.json(0, "publish", STOREFRONT, "--out", "out").published).toBe(true);
  });

  it("N2a: precedes the default, and follows the environment and options", () => {
    const bed = bedWith({ store: "of-config.db" });
    bed.ok("import", STARTER);
    expect(readFileSync(bed.path("of-config.db"))).not.toHaveLength(0);
    bed.env = { SVC_STORE: "of-environment.db" };
    expect(bed.failure(2, "check")[0]).toContain("of-environment.db");
    expect(bed.failure(2, "check", "--store", "of-option.db")[0]).toContain("of-option.db");
    bed.env = {};
    expect(bed.json(0, "check").problems).toEqual([]);
  });

  it("N2a: an empty variable is not set", () => {
    const bed = bedWith({ store: "of-config.db", target: "s3:/wrong" });
    const empty = ["SVC_STORE", "SVC_PREVIEW_TOKEN", "SVC_DEPLOY_TARGET", "SVC_DEPLOY_KVS"];
    bed.env = Object.fromEntries([...empty, "SVC_DEPLOY_ENDPOINT"].map((name) => [name, ""]));
    expect(bed.failure(2, "check")[0]).toContain("of-config.db");
    expect(bed.failure(2, "deploy", "--dry-run")[0]).toContain("s3:/wrong");
    const bare = new CliBed();
    bare.env = bed.env;
    expect(bare.ok("check", STARTER).stdout).toBe("no problems\n");
    expect(bare.ok("types", STARTER, "-o", "types.ts").status).toBe(0);
    expect(pathsBelow(bare.folder)).toEqual(["types.ts"]);
    expect(bare.failure(2, "deploy", "--dry-run")[0]).toContain("target");
    expect(bare.failure(2, "check", "--store", "")[0]).toContain("cannot be the name of a store");
  });

  it("N2: has paths from its own folder, and any name with --config", () => {
    const bed = bedWith({ store: "all.db", out: "site" }, "settings/svc.json");
    bed.ok("import", STARTER, "--config", "settings/svc.json");
    bed.ok("publish", "--config", "settings/svc.json");
    expect(bed.json(0, "verify", "--out", "settings/site").files).toBeGreaterThan(3);
    expect(bed.failure(2, "check")[0]).toContain("workspace.db");
    expect(bed.failure(2, "check", "--config", "none.json")[0]).toContain('"none.json"');
  });

  it("N2b: gives deploys their target", () => {
    const bed = bedWith({ target: "s3:/wrong" }, undefined, STARTER);
    bed.ok("publish");
    expect(bed.failure(2, "deploy", "--dry-run")[0]).toContain("s3:/wrong");
    bed.env = { SVC_DEPLOY_TARGET: "s3:/environment" };
    expect(bed.failure(2, "deploy", "--dry-run")[0]).toContain("s3:/environment");
  });

  it.each([
    ["{", "it is not JSON"],
    [[], "it must be an object"],
    [{ stor: "a" }, 'there is no member "stor"; did you mean "store"?'],
    [{ out: 1 }, '"out" must be a text'],
    [{ kvs: "a" }, '"kvs": the format is arn:aws:cloudfront'],
    [{ severity: [] }, '"severity" must be an object'],
    [{ severity: { "asset-mising": "off" } }, 'did you mean "asset-missing"?'],
    [{ severity: { "asset-missing": "on" } }, "must be one of error, warning, off"],
    [{ severity: { "value-type": "off" } }, '"value-type" is always an error'],
    [{ severity: { "value-missing": "warning" } }, '"value-missing" is always an error'],
    [{ strict: "yes" }, '"strict" must be true or false'],
  ])("N2: %j is refused", (config, message) => {
    const bed = bedWith(config);
    const [error] = bed.failure(2, "deploy", "s3://a");
    expect(error).toContain('the config file "svc.config.json" cannot be used');
    expect(error).toContain(message);
  });
});

describe("N3: severities of warnings", () => {
  it("N3: make warnings errors, which refuse a publish, changed or not", () => {
    const bed = new CliBed(STOREFRONT);
    bed.ok("publish");
    writeFileSync(
      bed.path("svc.config.json"),
      '{"severity":{"block-deleted":"off","model-missing":"off","asset-missing":"error"}}',
    );
    expect(bed.json(1, "check").counts).toMatchObject({ errors: 2 });
    const { status, stderr } = bed.run("publish");
    expect(status).toBe(1);
    expect(stderr).toContain("the draft has 2 errors,");
    expect(bed.run("diff").stderr).toContain("the draft has errors");
  });

  it("N3, P15: errors become warnings, in the cached outcome of a store too", () => {
    const bed = bedWith({}, undefined, STOREFRONT);
    expect(bed.json(1, "check").counts.errors).toBe(3);
    expect(bed.run("publish").status).toBe(1);
    expect(bed.run("diff").stderr).toContain("the draft has errors");
    const severity = { "block-deleted": "warning", "model-missing": "warning" };
    writeFileSync(bed.path("svc.config.json"), JSON.stringify({ severity }));
    expect(bed.json(0, "check").counts).toMatchObject({ errors: 0, warnings: 15 });
    expect(bed.run("diff").stderr).not.toContain("the draft has errors");
    expect(bed.json(0, "publish").counts).toMatchObject({ errors: 0, warnings: 15 });
  });

  it("N3: leave warnings out", () => {
    const severity = { "block-deleted": "off", "model-missing": "warning" };
    const bed = bedWith({ severity }, undefined, STOREFRONT);
    const { problems, counts } = bed.json(0, "check");
    expect(counts.byCode).not.toHaveProperty("block-deleted");
    expect(problems).toHaveLength(13);
    expect(bed.json(0, "publish").counts).toEqual(counts);
  });

  it("N3, A3: no severity makes an error of what is in an entry that is not published", () => {
    const bed = bedWith({ folder: "content", severity: { "field-unknown": "error" } });
    cpSync(STARTER, bed.path("content"), { recursive: true });
    const file = bed.path("content/entries/unfinished.json");
    const entry = { id: "unfinished", modelId: "page", data: { titel: "Soon" } };
    const write = (more: object) => writeFileSync(file, JSON.stringify({ ...entry, ...more }));
    write({ draft: true });
    const drafted = bed.json(0, "check").problems.map((one: { level: string }) => one.level);
    expect(drafted).toContain("warning");
    write({});
    expect(bed.json(1, "check").counts.byCode).toMatchObject({ "field-unknown": 1 });
  });
});

it("N8: strict is a member of the config file, for check and publish", () => {
  const bed = bedWith(
    { severity: { "block-deleted": "off", "model-missing": "off" } },
    undefined,
    STOREFRONT,
  );
  bed.ok("check");
  const severity = { "block-deleted": "off", "model-missing": "off" };
  writeFileSync(bed.path("svc.config.json"), JSON.stringify({ severity, strict: true }));
  bed.json(1, "check");
  expect(bed.run("publish").stderr).toContain("the draft has 12 problems");
  bed.ok("check", "--no-strict");
  bed.ok("publish", "--no-strict");
  // `svc import --strict` is about exports (X21).
  bed.ok("import", STARTER);
});
