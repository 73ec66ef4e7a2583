import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { type FileFact, MANIFEST, readManifest } from "./manifest.ts";
import { filesBelow } from "./plan-out.ts";
import type { OnProgress } from "./version-store.ts";

export interface Difference {
  readonly path: string;
  readonly reason: "missing" | "changed" | "unexpected";
}

export interface Verified {
  readonly ok: boolean;
  /** How many files the manifest names. */
  readonly files: number;
  readonly differs: readonly Difference[];
}

/**
 * Checks every file of `out/` against its manifest.
 *
 * @throws SvcError `manifest-missing` or `manifest-invalid`.
 */
export function verify(out: string, onProgress: OnProgress): Verified {
  const manifest = readManifest(out);
  if (manifest === undefined) {
    throw new SvcError("manifest-missing", `there is no "${join(out, MANIFEST)}"`, {
      hint: "svc publish or svc write makes it; --out names the folder",
    });
  }
  const facts = new Map<string, FileFact>(Object.entries(manifest.files));
  for (const { files } of Object.values(manifest.workspaces)) {
    for (const [path, fact] of Object.entries(files)) facts.set(path, fact);
  }
  const differs: Difference[] = [];
  let done = 0;
  for (const [path, fact] of facts) {
    const reason = compare(join(out, path), fact);
    if (reason !== undefined) differs.push({ path, reason });
    done += 1;
    onProgress(done, facts.size, "files checked");
  }
  for (const path of filesBelow(out, "")) {
    if (path !== MANIFEST && !facts.has(path)) differs.push({ path, reason: "unexpected" });
  }
  differs.sort((a, b) => byCodeUnit(a.path, b.path));
  return { ok: differs.length === 0, files: facts.size, differs };
}

function compare(path: string, fact: FileFact): "missing" | "changed" | undefined {
  let bytes: Uint8Array;
  try {
    if (lstatSync(path).isSymbolicLink()) return "changed";
    bytes = readFileSync(path);
  } catch {
    return "missing";
  }
  return bytes.byteLength === fact.size && sha256(bytes) === fact.sha256 ? undefined : "changed";
}
