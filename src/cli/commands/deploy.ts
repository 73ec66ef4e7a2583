import { awaitVersion } from "../../deploy/await-version.ts";
import type { PublishedFolder } from "../../deploy/published-folder.ts";
import { addressOfFilePath } from "../../documents/address.ts";
import { serverUrl } from "../../http/server-url.ts";
import { publishedManifest, verify } from "../../publish/verify.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { deployFolderInPlace } from "../deploy/deploy-folder-in-place.ts";
import { type DeployContext, openDeployContext } from "../deploy/deploy-options.ts";
import { deployReleases } from "../deploy/deploy-releases.ts";
import type { Remarks } from "../output/output.ts";
import { counted } from "../output/words.ts";
import { commandsBelow, type Run } from "../table/table.ts";

/** `svc deploy <target>`: as a release with `--kvs`, else in place. */
export const deploy: Run<"deploy"> = async (output, options) => {
  const { target, excess } = options;
  assertTarget(target, excess);
  const { kvs, distribution, overwrite, force, out, workspace, dryRun, url } = options;
  const onlyInPlace = {
    "--overwrite": overwrite,
    "--force": force,
    "--distribution": distribution,
  };
  const [given] = Object.entries(onlyInPlace).find(([, value]) => value) ?? [];
  if (kvs !== undefined && given !== undefined) {
    throw new UsageError(
      `${given} is only for a deploy in place, without --kvs`,
      "a release is a new folder: nothing is overwritten, and nothing of it is cached",
    );
  }
  if (url !== undefined) serverUrl(url);
  const context = await openDeployContext(target, options, output);
  const published = verifiedFolder(out, output);
  const workspaceIds = workspacesOf(published, workspace);
  const deployed = kvs === undefined ? deployFolderInPlace : deployReleases;
  const { value, text } = await deployed(options, context, published, workspaceIds);
  if (dryRun || url === undefined) {
    output.result(value, text);
    return;
  }
  output.note(text);
  const live = await awaitAll(published, workspaceIds, context, url, options.wait);
  output.result(
    { ...value, live },
    `${url} serves it, ${(live.milliseconds / 1000).toFixed(1)} s later`,
  );
};

/** To commander, a misspelt subcommand is a target, and the target after it is an excess argument. */
function assertTarget(target: string | undefined, excess: string | undefined): void {
  if (target !== undefined && !target.startsWith("s3:")) {
    const names = commandsBelow("deploy").map((words) => words.slice("deploy ".length));
    throw new UsageError(
      `"${target}" is neither a deploy target nor a command of svc deploy`,
      `a target is s3://bucket or s3://bucket/prefix; the commands are ${names.join(", ")}`,
    );
  }
  if (excess === undefined) return;
  throw new UsageError(
    `"${excess}" is an argument too many`,
    "svc deploy --help lists its arguments and options",
  );
}

/**
 * A folder of published files, after every file was verified against the manifest.
 *
 * @throws SvcError `out-differs`, `manifest-missing`, `workspace-not-published`.
 */
function verifiedFolder(out: string, output: Remarks): PublishedFolder {
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
function workspacesOf({ folder, workspaces }: PublishedFolder, named?: string): string[] {
  const all = Object.keys(workspaces).sort();
  if (named === undefined) return all;
  if (Object.hasOwn(workspaces, named)) return [named];
  throw new SvcError("workspace-not-published", `workspace "${named}" is not in "${folder}"`, {
    hint: `workspaces in it: ${all.join(", ")}`,
  });
}

/** Waits for every project: each has a pointer or an object of its own. */
async function awaitAll(
  { workspaces }: PublishedFolder,
  workspaceIds: readonly string[],
  { work }: DeployContext,
  baseUrl: string,
  wait: number,
): Promise<{ url: string; milliseconds: number }> {
  const startedAt = performance.now();
  const awaitOptions = { baseUrl, deadline: startedAt + wait * 1000, signal: work.signal };
  for (const id of workspaceIds) {
    const { versionId = "", files = {} } = workspaces[id] ?? {};
    for (const path of Object.keys(files)) {
      const address = addressOfFilePath(path);
      if (address?.kind !== "project") continue;
      await awaitVersion(address.projectId, versionId, awaitOptions);
    }
  }
  return { url: baseUrl, milliseconds: Math.round(performance.now() - startedAt) };
}
