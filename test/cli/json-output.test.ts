import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS, checkJsonOutput, OUTPUT_SCHEMAS } from "../support/json-output.ts";
import { ROOT } from "../support/program.ts";

// `HostedProgram` and the other ways in which tests run commands check each output.
describe("N5: what commands print with --json has a JSON Schema", () => {
  it("N5: each command has one, and it is in the package", () => {
    const names = COMMANDS.map((words) => words.replaceAll(" ", "-"));
    expect(Object.keys(OUTPUT_SCHEMAS)).toEqual(expect.arrayContaining(names));
    const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(files).toContain("svc.output.schema.json");
  });

  it.each([
    ["a member that is not listed", "token revoke x", { revoked: "x", more: 1 }],
    ["a member that is missing", "token revoke x", {}],
    ["another type", "init x", { folder: "x", files: [] }],
    ["a finding without code", "check", { error: { code: "a", message: "", problems: [{}] } }],
    ["a command without a schema", "unheard-of", {}],
  ])("N5: %s fails the test that runs the command", (_, line, value) => {
    const check = () =>
      checkJsonOutput([...line.split(" "), "--json"], `${JSON.stringify(value)}\n`);
    expect(check).toThrow(`svc ${line}`);
  });
});
