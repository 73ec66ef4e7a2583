import { Command } from "commander";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cdnDoctorCommand } from "../../src/cli/commands/cdn/doctor.ts";
import { cdnTemplateCommand } from "../../src/cli/commands/cdn/template.ts";
import { templateDocument, templateYaml } from "../../src/deploy/edge/template.ts";
import { publishedSite } from "../support/deploy/published-site.ts";
import { host } from "../support/server/hosts.ts";

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** The stdout and exit status of `svc cdn …`. */
async function cdn(...args: readonly string[]) {
  let stdout = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += text;
    return true;
  });
  const program = new Command("cdn").exitOverride();
  for (const command of [cdnTemplateCommand, cdnDoctorCommand]) {
    // A command keeps its options between two parses.
    program.addCommand(command);
  }
  await program.parseAsync(args, { from: "user" });
  return { stdout, status: process.exitCode };
}

describe("svc cdn template", () => {
  it("prints the template, as YAML or JSON, for releases or in place", async () => {
    const releases = { kvs: true, preview: false };
    expect((await cdn("template")).stdout).toBe(templateYaml(releases));
    const { stdout } = await cdn("template", "--no-kvs", "--format", "json");
    expect(JSON.parse(stdout)).toEqual(templateDocument({ kvs: false, preview: false }));
  });

  it("refuses previews without a KeyValueStore, which holds the tokens", async () => {
    await expect(cdn("template", "--no-kvs", "--preview")).rejects.toMatchObject({ code: "usage" });
  });
});

describe("svc cdn doctor", () => {
  it("prints each check as data, and exits with 1 when one fails", async () => {
    const url = `${await host(publishedSite())}/api/v1`;
    const { stdout, status } = await cdn("doctor", "--json", "--url", url, "--project", "site");
    const { ok, checks } = JSON.parse(stdout);
    expect({ ok, status }).toEqual({ ok: false, status: 1 });
    // The stand-in has no https.
    expect(checks.filter((check: { status: string }) => check.status === "failed")).toEqual([
      {
        id: "url-https",
        title: "http is redirected to https",
        status: "failed",
        detail: "--url is not an https address",
        hint: "use the https address",
      },
    ]);
  });

  it.each([
    [["doctor"], "there is nothing to check"],
    [
      ["doctor", "--url", "https://example.com"],
      '"https://example.com" is not a base URL of the API',
    ],
  ])("refuses %j", async (args, message) => {
    await expect(cdn(...args)).rejects.toMatchObject({ code: "usage", message });
  });
});
