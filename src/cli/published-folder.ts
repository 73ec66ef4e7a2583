import type { PublishedFolder } from "../deploy/published-folder.ts";
import { publishedManifest, verify } from "../publish/verify.ts";
import { SvcError } from "../workspace/errors.ts";
import { counted, type Output } from "./output/output.ts";

/**
 * A folder of published files, when every one of them is as published.
 *
 * @throws SvcError `out-differs`, `manifest-missing`, `workspace-not-published`.
 */
export function verifiedFolder(out: string, output: Output): PublishedFolder {
  const { ok, differs } = verify(out, output.progress);
  const manifest = publishedManifest(out);
  if (ok) return { folder: out, ...manifest };
  const [first] = differs;
  const what =
    first === undefined
      ? "a write was interrupted"
      : `${counted(differs.length, "file differs", "files differ")}, the first is ${first.path}`;
  throw new SvcError("out-differs", `"${out}" is not as it was published: ${what}`, {
    hint: "svc verify lists all; svc write brings the files back; then deploy",
    problems: differs,
  });
}

/**
 * The workspaces to deploy: the one that is named, or all.
 *
 * @throws SvcError `workspace-not-published`.
 */
export function workspacesOf({ folder, workspaces }: PublishedFolder, named?: string): string[] {
  const all = Object.keys(workspaces).sort();
  if (named === undefined) return all;
  if (Object.hasOwn(workspaces, named)) return [named];
  throw new SvcError("workspace-not-published", `"${folder}" has nothing of workspace "${named}"`, {
    hint: `it has: ${all.join(", ")}`,
  });
}
