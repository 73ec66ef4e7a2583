import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Mutant, mutatedText } from "./mutant.ts";

const ROOT = join(import.meta.dirname, "../..");

const PARTS = ["bin", "docs", "fixtures", "out", "scripts", "src", "test"];
const FILES = [
  "README.md",
  "action.yml",
  "package.json",
  "svc.config.schema.json",
  "svc.output.schema.json",
  "tsconfig.json",
];

const CONFIG = ["--config", "test/vitest.config.ts"];
/** The suites that may have tests of mutants. */
const SUITES = ["spec", "edge"];

/** Of the tests of one mutant, in milliseconds. */
const TIME_LIMIT = 5 * 60_000;

/** The tests of a run that failed, by name; `problem`: the tests could not run. */
export interface TestRun {
  readonly failed: readonly string[];
  readonly problem?: string;
}

/** The members of vitest's JSON report that are used here. */
interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** A copy of the repository in a temporary folder, in which files are mutated. */
export class CopiedRepository {
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-mutants-"));
  #running: ChildProcess | undefined;

  constructor() {
    for (const part of [...PARTS, ...FILES]) {
      cpSync(join(ROOT, part), join(this.#folder, part), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(this.#folder, "node_modules"));
  }

  /** Runs a mutant's tests with the mutant in place. */
  async runMutated(mutant: Mutant): Promise<TestRun> {
    const file = join(this.#folder, mutant.file);
    const text = readFileSync(file);
    writeFileSync(file, mutatedText(this.#folder, mutant));
    try {
      const first = await this.run(mutant.tests, 1, TIME_LIMIT);
      if (first.failed.length > 0 || first.problem === undefined) return first;
      // A run that ends at the first failure may end before it has reported that.
      return await this.run(mutant.tests, 0, TIME_LIMIT);
    } finally {
      writeFileSync(file, text);
    }
  }

  /**
   * @param bail the number of failures after which the run ends; 0: it does not.
   * @param limit in milliseconds; 0: none.
   */
  async run(tests: readonly string[], bail = 0, limit = 0): Promise<TestRun> {
    const report = join(this.#folder, "report.json");
    rmSync(report, { force: true });
    const options = [`--bail=${bail}`, "--reporter=json", `--outputFile=${report}`];
    // The caches would be below node_modules, which is not copied.
    const caches = ["--cache=false", `--fsModuleCachePath=${join(this.#folder, "module-cache")}`];
    const suites = SUITES.flatMap((name) => ["--project", name]);
    const args = ["run", ...CONFIG, ...suites, ...options, ...caches, ...tests];
    const output = await this.#vitest(args, limit);
    if (!existsSync(report)) return { failed: [], problem: output };
    const { numTotalTests, testResults }: Report = JSON.parse(readFileSync(report, "utf8"));
    const failed = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName }) => `${relative(this.#folder, name)}: ${fullName}`),
    );
    if (numTotalTests === 0) return { failed, problem: `no tests ran: ${output}` };
    // A module that cannot be loaded, or a hook that fails.
    const broken = testResults.find(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every(({ status }) => status !== "failed"),
    );
    return broken === undefined ? { failed } : { failed, problem: broken.message };
  }

  remove(): void {
    this.#running?.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Returns what vitest printed. */
  #vitest(args: readonly string[], limit: number): Promise<string> {
    const program = join(ROOT, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.#folder,
      env: { SVC_RANDOM_RUNS: "1", ...process.env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: limit,
    });
    this.#running = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (_status, signal) =>
        resolve(signal === null ? output : `stopped after ${limit / 1000} s: ${output}`),
      );
    });
  }
}
