import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { readFolder } from "../../src/folder/read-folder.ts";
import { NOT_FOUND_DOCUMENT } from "../../src/http/problem-document.ts";
import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { startCli } from "../support/deploy/start-cli.ts";
import { inStore } from "../support/publish/draft-source.ts";

/** A published workspace in its own folder, deployed with the real program. */
export class DeployBed extends CliBed {
  constructor(env: Readonly<Record<string, string>>, workspace = STARTER) {
    super();
    this.env = env;
    cpSync(workspace, this.path("workspace"), { recursive: true });
    this.publish();
  }

  /** Publishes in this process, which is faster. */
  publish(): void {
    const store = openStore(this.path("workspace.db"), { create: true });
    store.import(readFolder(this.path("workspace")), new Date());
    const how = { strict: false, keep: 20, now: new Date(), onProgress: () => {} };
    publish(inStore(store), this.path("out"), how);
    store.close();
  }

  /** Replaces a text in a file of the workspace, and publishes again. */
  change(path: string, text: string, by: string): void {
    const file = this.path("workspace", path);
    writeFileSync(file, readFileSync(file, "utf8").replace(text, by));
    this.publish();
  }

  versionId(out = "out"): string {
    const { workspaces } = JSON.parse(readFileSync(this.path(out, "manifest.json"), "utf8"));
    return (Object.values(workspaces) as { versionId: string }[])[0]?.versionId ?? "";
  }

  /** The expected objects of a bucket: the files' bytes as latin1, by key. */
  expected(out = "out"): Map<string, string> {
    const files = JSON.parse(readFileSync(this.path(out, "manifest.json"), "utf8"));
    const expected = new Map([["404.json", NOT_FOUND_DOCUMENT]]);
    for (const { files: facts } of Object.values(files.workspaces) as { files: object }[]) {
      for (const path of Object.keys(facts)) {
        expected.set(keyOf(path), readFileSync(this.path(out, path), "latin1"));
      }
    }
    return expected;
  }

  /** Starts a command and returns its process. */
  start(...args: readonly string[]): ReturnType<typeof startCli> {
    return startCli(this, ...args);
  }
}

/** The key of the object for a file of `out/`. */
function keyOf(path: string): string {
  return path.replace(/\/index\.json$/, "").replace(/(\/(?:content|schema))\.json$/, "$1");
}
