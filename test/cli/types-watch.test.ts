import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { RunningCommand } from "./running-command.ts";

const document = (modelKey: string) =>
  JSON.stringify({
    $id: "svc:project/site/schema",
    $defs: {
      contentModels: { [modelKey]: { title: modelKey, type: "object", properties: {} } },
      contentBlocks: {},
      ...{ fields: { type: "object" }, featureKeys: {}, stepKeys: {}, experienceKeys: {} },
    },
    "x-svc-schema-version": 1,
    "x-svc-step-content-models": {},
  });

/** Replaces the file as editors and `svc publish` do: writes a temporary file, then renames it. */
function replace(bed: CliBed, text: string): void {
  writeFileSync(bed.path("beside"), text);
  renameSync(bed.path("beside"), bed.path("schema.json"));
}

describe("svc types --watch", { timeout: 60_000 }, () => {
  it("writes again whenever the file is replaced; reports a broken file and continues", async () => {
    const bed = new CliBed();
    replace(bed, document("page"));
    const watching = new RunningCommand(bed, "types", "schema.json", "-o", "types.ts", "--watch");
    const types = () => readFileSync(bed.path("types.ts"), "utf8");
    const printed = (text: string, times: number) =>
      watching.until(({ stdout, stderr }) => `${stdout}${stderr}`.split(text).length > times);

    await printed("watching schema.json", 1);
    expect(types()).toContain("interface Page {");
    expect(watching.stdout).toBe("wrote types.ts\n");

    replace(bed, document("shop"));
    await printed("wrote types.ts\n", 2);
    expect(types()).toContain("interface Shop {");

    replace(bed, '{"$id":');
    await printed("hint:", 1);
    expect(watching.stderr).toMatch(/error: [^\n]*schema\.json[^\n]* is not JSON\nhint: [^\n]+\n/);
    replace(bed, "{}");
    await printed("hint:", 2);
    expect(types()).toContain("interface Shop {");

    writeFileSync(bed.path("schema.json"), document("tour"));
    await printed("wrote types.ts\n", 3);
    expect(types()).toContain("interface Tour {");

    watching.signal("SIGINT");
    expect(await watching.end()).toMatchObject({ status: 0 });
    expect(pathsBelow(bed.folder)).toEqual(["schema.json", "types.ts"]);
  });

  it("writes again whenever a workspace folder changes, and reports its faults", async () => {
    const bed = new CliBed();
    cpSync(STARTER, bed.path("content"), { recursive: true });
    const watching = new RunningCommand(bed, "types", "content", "-o", "content/t.ts", "--watch");
    const types = () => readFileSync(bed.path("content/t.ts"), "utf8");
    const model = bed.path("content/models/page.json");
    const text = readFileSync(model, "utf8");
    await watching.until(({ stdout }) => stdout === "wrote content/t.ts\n");
    expect(types()).toContain("interface Page ");
    writeFileSync(model, "[");
    await watching.until(({ stderr }) => /error: [^\n]*"content" has 1 fault\nhint:/.test(stderr));
    writeFileSync(model, text.replace('"key": "page"', '"key": "sheet"'));
    await watching.until(({ stdout }) => stdout.split("wrote content/t.ts\n").length > 2);
    expect(types()).toContain("interface Sheet ");
    watching.signal("SIGINT");
    expect((await watching.end()).status).toBe(0);
  });

  it("waits for a missing file, and ends on SIGTERM too", async () => {
    const bed = new CliBed();
    const watching = new RunningCommand(bed, "types", "schema.json", "-o", "types.ts", "--watch");
    await watching.until(({ stderr }) => stderr.includes("watching schema.json"));
    expect(watching.stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n/);
    replace(bed, document("page"));
    await watching.until(({ stdout }) => stdout.includes("wrote types.ts\n"));
    watching.signal("SIGTERM");
    expect((await watching.end()).status).toBe(0);
  });

  it("with --json, prints one value per line for each write and each error", async () => {
    const bed = new CliBed();
    replace(bed, document("page"));
    const watching = new RunningCommand(
      bed,
      "types",
      "schema.json",
      "-o",
      "types.ts",
      "--watch",
      "--json",
    );
    const lines = () => watching.stdout.split("\n").slice(0, -1);
    await watching.until(() => lines().length === 1);
    // With --json nothing says that watching has started: replace the file until it is noticed.
    const again = setInterval(() => replace(bed, "no JSON"), 100);
    await watching.until(() => lines().length > 1).finally(() => clearInterval(again));
    watching.signal("SIGINT");
    const { status, stderr } = await watching.end();
    expect([status, stderr]).toEqual([0, ""]);
    const [first, second] = lines().map((line) => JSON.parse(line));
    expect(first).toEqual({ file: "types.ts", written: true });
    expect(second).toEqual({
      error: { code: "schema-invalid", message: expect.any(String), hint: expect.any(String) },
    });
  });
});
