// Writes fixtures/stores/form-<n>/, where n is the form of the store that this program writes: a store
// with two versions, and the files of each as they were published. Run it once for each new form, before
// the program is released; what it wrote is never changed again.
//   node test/store/make-store-fixture.ts
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../src/store/migrations.ts";

const root = join(import.meta.dirname, "..", "..");
const fixture = join(root, "fixtures", "stores", `form-${SCHEMA_VERSION}`);
const work = mkdtempSync(join(tmpdir(), "svc-store-fixture-"));
const workspace = join(work, "workspace");

function svc(...args: string[]) {
  const printed = execFileSync(process.execPath, [join(root, "bin", "svc.ts"), ...args, "--json"], {
    // The store remembers where it published to: no path of this folder is to be in it.
    cwd: work,
    env: { ...process.env, SVC_STORE: "workspace.db" },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  return JSON.parse(printed);
}

/** Imports the starter workspace with these flags as its only ones. */
function importWith(features: readonly object[]): void {
  cpSync(join(root, "fixtures", "starter"), workspace, { recursive: true });
  writeFileSync(join(workspace, "features.json"), JSON.stringify(features));
  svc("import", workspace);
}

const boolean = { id: "f-author", key: "showAuthor", name: "Show the author", type: "boolean" };
const variant = (key: string) => ({ id: `f-layout-${key}`, key, name: key });
const text = {
  id: "f-layout",
  key: "homeLayout",
  name: "Layout",
  type: "text",
  variants: [variant("compact"), variant("wide")],
};

try {
  importWith([boolean]);
  const { versionId } = svc("publish", "--out", "before-text-flags");
  importWith([boolean, text]);
  svc("publish", "--out", "with-text-flags");
  // The version from before Text flags is current again, the draft has them.
  svc("rollback", versionId, "--out", "out");
  rmSync(fixture, { recursive: true, force: true });
  mkdirSync(fixture, { recursive: true });
  for (const name of ["workspace.db", "before-text-flags", "with-text-flags"]) {
    cpSync(join(work, name), join(fixture, name), { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
