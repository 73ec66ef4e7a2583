import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliBed } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { editFolder } from "./edit-folder.ts";
import { previewDocuments } from "./preview-documents.ts";

/** A workspace of the oracle. */
export interface OracleWorkspace {
  readonly name: string;
  /** Writes its folder, which does not exist yet. */
  readonly make: (folder: string) => void;
  /** Writes the folder of another workspace, which is in the store before it. */
  readonly beside?: ((folder: string) => void) | undefined;
  /** Whether it is compared with its edited folder too. */
  readonly isEdited: boolean;
  /** Whether only the most important outputs are compared, because there are many like it. */
  readonly isBrief?: boolean;
}

/** Bytes by path. */
type Files = ReadonlyMap<string, Uint8Array>;

/** The reading of the clock in all commands (A4). */
export const AT = "2026-06-01T00:00:00Z";

/** What the program makes of a workspace, by name of the output; `workspace` is what it is made from. */
export function outputsOf(workspace: OracleWorkspace): Map<string, Files> {
  const { make, beside, isEdited, isBrief } = workspace;
  const bed = new CliBed();
  const folder = bed.path("content");
  make(folder);
  const store = beside === undefined ? [] : ["--store", "workspace.db"];
  const run = (command: string, ...more: readonly string[]): Files => {
    const ran = bed.run(command, ...more, "--at", AT, "--json");
    return new Map([["result.json", Buffer.from(`${ran.status}\n${ran.stdout}${ran.stderr}`)]]);
  };
  const theirs = beside && bed.path("beside");
  if (theirs !== undefined) beside?.(theirs);
  const outputs = new Map([["workspace", filesBelow(bed.folder)]]);
  if (theirs !== undefined) bed.ok("import", "beside", ...store);
  const out = bed.path("out");
  outputs.set("publish", run("publish", "content", "--out", "out", ...store));
  outputs.set("out", filesBelow(out));
  outputs.set("preview", previewFiles(previewDocuments(folder, theirs, Date.parse(AT))));
  if (isBrief) return outputs;
  outputs.set("check", run("check", "content", ...store));
  outputs.set("stats", run("stats", "content", ...store));
  outputs.set("due", run("stats", "content", "--due", ...store));
  if (isEdited && outputs.get("out")?.has("manifest.json")) {
    cpSync(folder, bed.path("edited"), { recursive: true });
    editFolder(bed.path("edited"));
    outputs.set("diff", run("diff", "out", "edited"));
    // Over what is published: files are replaced and removed.
    const again = ["edited", "--out", "out", "--max-removals", "100%", ...store];
    outputs.set("publish-edited", run("publish", ...again));
    outputs.set("out-edited", filesBelow(out));
  }
  return outputs;
}

/** Of paths and bytes. 12 digits: differences are accidents. */
export function hashOf(files: Files): string {
  const hash = createHash("sha256");
  for (const path of [...files.keys()].sort()) {
    const bytes = files.get(path) as Uint8Array;
    hash.update(`${JSON.stringify(path)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 12);
}

/** Writes the outputs below a folder. */
export function keepOutputs(folder: string, outputs: ReadonlyMap<string, Files>): void {
  for (const [name, files] of outputs) {
    for (const [path, bytes] of files) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  }
}

function previewFiles(documents: ReturnType<typeof previewDocuments>): Files {
  const problems = [...documents].map(([path, document]) => `${path} ${document.problems}\n`);
  return new Map([
    ...[...documents].map(([path, { bytes }]) => [`${path}.json`, bytes] as const),
    ["problems.txt", Buffer.from(problems.sort().join(""))],
  ]);
}

function filesBelow(folder: string): Files {
  return new Map(pathsBelow(folder).map((path) => [path, readFileSync(join(folder, path))]));
}
