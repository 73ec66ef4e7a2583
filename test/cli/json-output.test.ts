import { describe, expect, it } from "vitest";
import { COMMANDS, checkJsonOutput, OUTPUT_SCHEMAS } from "../support/json-output.ts";

// `HostedProgram` and the other ways in which tests run commands check each output.
describe("N5: what commands print with --json has a JSON Schema", () => {
  it("N5: each command has one", () => {
    const names = COMMANDS.map((words) => words.replaceAll(" ", "-"));
    expect(Object.keys(OUTPUT_SCHEMAS)).toEqual(expect.arrayContaining(names));
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
