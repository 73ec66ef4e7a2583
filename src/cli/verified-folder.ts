import type { PublishedFolder } from "../deploy/published-folder.ts";
import { publishedManifest, verify } from "../publish/verify.ts";
import { SvcError } from "../workspace/errors.ts";
import { counted } from "./output/counted.ts";
import type { Output } from "./output/output.ts";

/**
 * A folder of published files, after every file was verified against the manifest.
 *
 * @throws SvcError `out-differs`, `manifest-missing`, `workspace-not-published`.
 */
export function verifiedFolder(out: string, output: Output): PublishedFolder {
  const { ok, differs } = verify(out, output.progress);
  const manifest = publishedManifest(out);
  if (ok) return { folder: out, ...manifest };
  const [first] = differs;
  const reason =
    first === undefined
      ? "a write was interrupted"
      : `${counted(differs.length, "file differs", "files differ")}, first ${first.path}`;
  throw new SvcError("out-differs", `"${out}" differs from what was published: ${reason}`, {
    hint: "restore the files with svc publish <folder> or, with a store, svc write; then deploy again",
    problems: { kind: "files", list: differs },
  });
}

/**
 * The workspaces to deploy: the named one, or all.
 *
 * @throws SvcError `workspace-not-published`.
 */
export function workspacesOf({ folder, workspaces }: PublishedFolder, named?: string): string[] {
  const all = Object.keys(workspaces).sort();
  if (named === undefined) return all;
  if (Object.hasOwn(workspaces, named)) return [named];
  throw new SvcError("workspace-not-published", `workspace "${named}" is not in "${folder}"`, {
    hint: `workspaces in it: ${all.join(", ")}`,
  });
}
