import { awaitVersion } from "../../deploy/await-version.ts";
import type { PublishedFolder } from "../../deploy/published-folder.ts";
import { addressOfFilePath } from "../../documents/address.ts";
import { serverUrl } from "../../http/server-url.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { Output } from "../output/output.ts";
import { verifiedFolder, workspacesOf } from "../verified-folder.ts";
import { deployFolderInPlace } from "./deploy-folder-in-place.ts";
import { type DeployContext, type DeployOptions, openDeployContext } from "./deploy-options.ts";
import { deployReleases } from "./deploy-releases.ts";

/** `svc deploy <target>`: as a release with `--kvs`, else in place. */
export async function deployToBucket(
  output: Output,
  options: DeployOptions,
  target: string | undefined,
): Promise<number> {
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
  const deploy = kvs === undefined ? deployFolderInPlace : deployReleases;
  const { value, text } = await deploy(options, context, published, workspaceIds);
  if (dryRun || url === undefined) {
    output.result(value, text);
    return 0;
  }
  output.note(text);
  const live = await awaitAll(published, workspaceIds, context, url, options.wait);
  output.result(
    { ...value, live },
    `${url} serves it, ${(live.milliseconds / 1000).toFixed(1)} s later`,
  );
  return 0;
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
