// npm run bench [experiences]: makes a workspace of so many experiences (default 10,000) with ten
// times as many entries, and measures the built program on it. Ratios hold between figures of one
// run; seconds alone say more about the machine.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeWorkspace } from "./make-workspace.ts";
import { type Measured, measure } from "./measure.ts";

const experiences = Number(process.argv[2] ?? 10_000);
const root = join(import.meta.dirname, "../..");
const svc = join(root, "dist/bin/svc.js");
const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-bench-"));
const store = join(folder, "bench.db");
const out = join(folder, "out");

try {
  const { entries } = makeWorkspace(join(folder, "workspace"), experiences);
  say(`${experiences.toLocaleString("en")} experiences, ${entries.toLocaleString("en")} entries`);
  const run = (...args: string[]) => measure([svc, ...args, "--store", store, "--quiet"]);
  const imported = run("import", join(folder, "workspace"));
  const checked = run("check");
  const published = run("publish", "--out", out);
  const again = run("publish", "--out", out);
  const verified = measure([svc, "verify", "--out", out, "--quiet"]);
  const compared = run("diff");
  const { files, bytes } = sizeOf(out);
  const bareTimes = [1, 2, 3].map((round) =>
    Number(
      measure([join(import.meta.dirname, "bare-write.ts"), out, join(folder, `bare${round}`)])
        .stdout,
    ),
  );
  const bare = bareTimes.sort((a, b) => a - b)[1] as number;

  say(`${files.toLocaleString("en")} files, ${(bytes / 1e6).toFixed(0)} MB in out/\n`);
  say(
    `${"".padEnd(28)}${"seconds".padStart(9)}${"entries/s".padStart(11)}${"peak MB".padStart(9)}${"× bare".padStart(8)}`,
  );
  row("bare loop writing the files", { seconds: bare, peak: 0, stdout: "" });
  row("svc import", imported);
  row("svc check", checked);
  row("svc publish, first", published);
  row("svc publish, unchanged", again);
  row("svc verify", verified);
  row("svc diff, nothing differs", compared);

  function row(name: string, { seconds, peak }: Measured): void {
    const rate = Math.round(entries / seconds).toLocaleString("en");
    const memory = peak === 0 ? "" : (peak / 1e6).toFixed(0);
    const ratio = (seconds / bare).toFixed(2);
    say(
      `${name.padEnd(28)}${seconds.toFixed(2).padStart(9)}${rate.padStart(11)}${memory.padStart(9)}${ratio.padStart(8)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function sizeOf(path: string): { files: number; bytes: number } {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const sizes = files.map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
