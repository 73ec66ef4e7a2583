// Writes fixtures/stores/form-<n>/, where n is the schema version of this program: a store with two
// versions, and the published files of each. Run it once for each schema version, before its release; the
// files are never changed again.
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
    // The store saves the path of out/, which must not be one of this machine.
    cwd: work,
    env: { ...process.env, SVC_STORE: "workspace.db" },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  return JSON.parse(printed);
}

/** Imports the starter workspace with these flags only. */
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
  // The version without Text flags is current again, the draft has them.
  svc("rollback", versionId, "--out", "out");
  rmSync(fixture, { recursive: true, force: true });
  mkdirSync(fixture, { recursive: true });
  for (const name of ["workspace.db", "before-text-flags", "with-text-flags"]) {
    cpSync(join(work, name), join(fixture, name), { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
