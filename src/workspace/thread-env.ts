import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** The environment of a worker thread, which has V8's compile cache only if its environment says so. */
export function threadEnv(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  // The last segment names the Node, and is added.
  return folder === undefined
    ? process.env
    : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}
