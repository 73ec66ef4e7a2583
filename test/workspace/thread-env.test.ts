import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it, vi } from "vitest";
import { threadEnv } from "../../src/workspace/thread-env.ts";

it("a thread caches compiled code where the program does, which other processes are not told of", async () => {
  vi.stubEnv("NODE_COMPILE_CACHE", undefined);
  const script = `
    const { parentPort } = require("node:worker_threads");
    parentPort.postMessage(require("node:module").getCompileCacheDir());`;
  const worker = new Worker(script, { eval: true, env: threadEnv() });
  const [folder] = await once(worker, "message");
  // The last segment names the Node, and the flags that other tests may have set.
  expect(dirname(folder)).toBe(dirname(getCompileCacheDir() ?? ""));
  expect(folder).toContain("compile-cache");
  vi.unstubAllEnvs();
});
