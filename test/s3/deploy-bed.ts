import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { readFolder } from "../../src/folder/read-folder.ts";
import { NOT_FOUND_DOCUMENT } from "../../src/http/problem-document.ts";
import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { start } from "../support/deploy/started.ts";

/** A published workspace in a folder of its own, and the real program to deploy it with. */
export class DeployBed extends CliBed {
  constructor(env: Readonly<Record<string, string>>, workspace = STARTER) {
    super();
    this.env = env;
    cpSync(workspace, this.path("workspace"), { recursive: true });
    this.publish();
  }

  /** In this process: a deploy is what is run for real. */
  publish(): void {
    const store = openStore(this.path("workspace.db"), { create: true });
    store.import(readFolder(this.path("workspace")), new Date());
    const how = { strict: false, keep: 20, now: new Date(), onProgress: () => {} };
    publish(store, store.workspace(undefined), this.path("out"), how);
    store.close();
  }

  /** Replaces a text in a file of the workspace, and publishes that. */
  change(path: string, text: string, by: string): void {
    const file = this.path("workspace", path);
    writeFileSync(file, readFileSync(file, "utf8").replace(text, by));
    this.publish();
  }

  versionId(out = "out"): string {
    const { workspaces } = JSON.parse(readFileSync(this.path(out, "manifest.json"), "utf8"));
    return (Object.values(workspaces) as { versionId: string }[])[0]?.versionId ?? "";
  }

  /** What a bucket should answer for each address of the API: the file's bytes, by key. */
  expected(out = "out"): Map<string, string> {
    const files = JSON.parse(readFileSync(this.path(out, "manifest.json"), "utf8"));
    const expected = new Map([["404.json", NOT_FOUND_DOCUMENT]]);
    for (const { files: facts } of Object.values(files.workspaces) as { files: object }[]) {
      for (const path of Object.keys(facts)) {
        expected.set(addressOf(path), readFileSync(this.path(out, path), "latin1"));
      }
    }
    return expected;
  }

  /** Starts a command and gives back its process, to be killed or waited for. */
  start(...args: readonly string[]): ReturnType<typeof start> {
    return start(this, ...args);
  }
}

/** The key of the object that answers for a file of `out/`. */
function addressOf(path: string): string {
  return path.replace(/\/index\.json$/, "").replace(/(\/(?:content|schema))\.json$/, "$1");
}
