// The main job, end to end, with the commands that a user would type: the example workspaces go
// into a temporary store, and the storefront is published to out/, which is checked in.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../src/cli/main.ts";

const root = join(import.meta.dirname, "..");
process.chdir(root);
// A deleted block and model are part of the example.
const config = ["--config", "fixtures/storefront/svc.config.json"];
const folder = mkdtempSync(join(tmpdir(), "svc-demo-"));
process.env.SVC_STORE = join(folder, "demo.db");

async function svc(...args: string[]): Promise<void> {
  process.stdout.write(`\n$ svc ${args.join(" ")}\n`);
  await main(args);
  if (process.exitCode) throw new Error(`svc ${args[0]} ended with status ${process.exitCode}`);
}

try {
  await svc("import", "fixtures/neighbour", "--quiet");
  await svc("import", "fixtures/storefront", "--quiet");
  process.stdout.write(
    "\n(the example shows what a check warns of: each of these warnings is meant)\n",
  );
  await svc("check", "--workspace", "storefront", ...config);
  await svc("publish", "--workspace", "storefront", "--out", "out", "--quiet", ...config);
  await svc("verify", "--out", "out");
  process.stdout.write("\nout/ now holds\n");
  for (const entry of readdirSync("out", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    process.stdout.write(`${String(statSync(entry).size).padStart(8)} bytes  ${entry}\n`);
  }
  process.stdout.write("\nnext: npm run --silent svc -- serve\n");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
