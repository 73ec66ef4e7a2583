import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { RunningProgram } from "../support/running-program.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** `svc dev` whose thread with the draft ends as soon as a file is there. */
class Preview extends RunningProgram {
  readonly #sign: string;

  private constructor(content: string, sign: string, env: Readonly<Record<string, string>>) {
    super(["dev", content, "--port", "0", "--json"], { env });
    this.#sign = sign;
  }

  /** @param how ends it: a statement. */
  static of(how: string, { atOnce = false } = {}): Preview {
    const folder = temporaryFolder();
    const [sign, module] = [join(folder, "sign"), join(folder, "end.mjs")];
    const text = `import { existsSync } from "node:fs";
      import { isMainThread, workerData } from "node:worker_threads";
      const look = () => {
        if (existsSync(${JSON.stringify(sign)})) { ${how} }
      };
      if (!isMainThread && workerData?.comparedWith) {
        look();
        setInterval(look, 20).unref();
      }`;
    writeFileSync(module, text);
    if (atOnce) writeFileSync(sign, "");
    const options = ["--import", pathToFileURL(module).href, "--max-old-space-size=80"];
    const content = workspaceFolder({ "workspace.json": { id: "w", name: "W" } });
    return new Preview(content, sign, { NODE_OPTIONS: options.join(" ") });
  }

  listens(): Promise<boolean> {
    return this.passes(() => this.stdout.includes('"listening"'));
  }

  endThread(): void {
    writeFileSync(this.#sign, "");
  }

  async end(): Promise<number | null> {
    await this.ended;
    return this.process.exitCode;
  }
}

type Failure = readonly [why: string, how: string, status: number, error: object];

const FAILURES: readonly [Failure, Failure] = [
  [
    "for want of memory",
    "for (const all = []; ; ) all.push({ at: [all.length] });",
    4,
    { code: "memory-exhausted", hint: expect.stringContaining("--max-old-space-size") },
  ],
  [
    "by a defect",
    `throw new Error("lost");`,
    70,
    { code: "defect", message: "internal error: lost" },
  ],
];

describe("H12a: when the thread that has the draft ends by itself", () => {
  it.each(FAILURES)("H12a: %s, the command says so and ends", async (_why, how, status, error) => {
    const preview = Preview.of(how);
    expect(await preview.listens()).toBe(true);
    preview.endThread();
    expect(await preview.end()).toBe(status);
    const [last = ""] = preview.stdout.trimEnd().split("\n").slice(-1);
    expect(JSON.parse(last)).toMatchObject({ error });
    expect(preview.stderr).not.toContain("at ");
  });

  it("H12a: it does so at the start, too", async () => {
    const [, [, how, status, error]] = FAILURES;
    const preview = Preview.of(how, { atOnce: true });
    expect(await preview.end()).toBe(status);
    expect(JSON.parse(preview.stdout)).toMatchObject({ error });
  });
});
