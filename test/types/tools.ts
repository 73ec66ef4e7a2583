import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import type { ServedProject } from "../codegen/served-projects.ts";
import { codeBlocks, documentText } from "../docs/documents.ts";
import { COMPILER } from "../support/compiler.ts";

/** The blocks of the page that say how tools are run. */
const BLOCKS = codeBlocks(documentText("docs/types-and-client.md"));

/** Nobody is told. */
const QUIET = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

/** A folder in which the general tools are installed. */
export class Tools {
  readonly folder = mkdtempSync(join(tmpdir(), "svc-test-"));

  /** Fails when they cannot be installed. */
  constructor() {
    cpSync(join(import.meta.dirname, "tools"), this.folder, { recursive: true });
    const quiet = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    const { status, printed } = run(this.folder, "npm", ["install", ...quiet]);
    expect(status, printed).toBe(0);
  }

  /** What `svc types` prints of a project, in a folder below in which the tools are found. */
  project({ name, schema }: ServedProject): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    const options = { constants: false };
    const print = (format: "json-schema" | "openapi") =>
      generateTypes([{ document: schema }], { ...options, format });
    writeFileSync(join(folder, "content.schema.json"), print("json-schema"));
    writeFileSync(join(folder, "openapi.json"), print("openapi"));
    symlinkSync(join(this.folder, "node_modules"), join(folder, "node_modules"));
    for (const { language, info, code } of BLOCKS) {
      if (language === "js") writeFileSync(join(folder, info), code);
    }
    return folder;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs the block of the page with this line, but for installations. */
export function runBlock(folder: string, line: RegExp) {
  const found = BLOCKS.filter(({ language, code }) => language === "sh" && line.test(code));
  expect(found.length, `blocks with ${line}`).toBe(1);
  const code = found[0]?.code.replaceAll(/^npm install .*$/gm, "") ?? "";
  // What is installed is what runs: npx asks no network for another version.
  return run(folder, "bash", ["-euc", `export npm_config_offline=true\n${code}`]);
}

/** The errors of a strict run of the compiler. */
export function compileIn(folder: string, ...files: readonly string[]): string {
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const module = ["--module", "nodenext", "--target", "es2024", "--allowImportingTsExtensions"];
  const rest = ["--ignoreConfig", "--noEmit", "--skipLibCheck", "--pretty", "false", "--types", ""];
  return run(folder, COMPILER, [...strict, ...module, ...rest, ...files]).printed;
}

export function run(cwd: string, command: string, args: readonly string[], input?: string) {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...QUIET, PATH: path };
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    ...(input !== undefined && { input }),
  });
  if (error) throw error;
  return { status, printed: stdout + stderr };
}
