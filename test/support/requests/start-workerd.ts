import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { printWorker } from "../../../src/deploy/edge/functions.ts";
import { objectHeaders, RELEASED_HEADERS } from "../../../src/deploy/upload.ts";
import { HttpClient } from "../server/serving.ts";
import { temporaryFolder } from "../test-bed.ts";

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "main", esModule = embed "main.js"),
      (name = "worker", esModule = embed "worker.js"),
      (name = "objects", json = embed "objects.json"),
    ],
    compatibilityDate = "2026-01-01",
    compatibilityFlags = ["nodejs_compat"],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:PORT", http = (), service = "main")],
);
`;

/** The printed worker, with a bucket that answers as R2 documents it. */
const MAIN = `import objects from "objects";
import worker from "worker";
const BUCKET = {
  async get(key) {
    if (!Object.hasOwn(objects, key)) return null;
    const { text, etag, headers } = objects[key];
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return {
      body: new Response(bytes).body,
      httpEtag: JSON.stringify(etag),
      json: async () => JSON.parse(text),
      writeHttpMetadata: (to) => {
        for (const [name, value] of Object.entries(headers)) to.set(name, value);
      },
    };
  },
};
export default { fetch: (request) => worker.fetch(request, { BUCKET }) };
`;

/** Runs the printed worker in workerd until the test ends, in front of these objects, one character per byte. */
export async function startWorkerd(
  bucket: ReadonlyMap<string, string>,
  port: number,
): Promise<HttpClient> {
  const folder = temporaryFolder();
  const objects = [...bucket].map(([key, text]) => {
    const etag = createHash("md5").update(text, "latin1").digest("hex");
    const headers = key.startsWith("r/") ? RELEASED_HEADERS : objectHeaders(key);
    const stored = Object.entries(headers).filter(([name]) => !/^content-security/i.test(name));
    return [key, { text, etag, headers: Object.fromEntries(stored) }];
  });
  const files = {
    "config.capnp": CONFIG.replace("PORT", String(port)),
    "main.js": MAIN,
    "worker.js": printWorker(),
    "objects.json": JSON.stringify(Object.fromEntries(objects)),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  // The program itself: the script of this name does not end it when it is ended.
  const program: string = createRequire(import.meta.url)("workerd").default;
  const workerd = spawn(program, ["serve", "config.capnp"], { cwd: folder });
  let said = "";
  workerd.stderr.on("data", (piece) => {
    said += piece;
  });
  let ended: Error | undefined;
  workerd.once("error", (error) => {
    ended = new Error("this test needs workerd: npm ci, then npm run test:edge", { cause: error });
  });
  workerd.once("exit", () => {
    ended ??= new Error(`workerd ended: ${said}`);
  });
  onTestFinished(async () => {
    if (ended !== undefined) return;
    workerd.kill("SIGTERM");
    await once(workerd, "exit");
  });
  const client = new HttpClient(`http://127.0.0.1:${port}`);
  for (;;) {
    if (ended !== undefined) throw ended;
    if (await client.request("/").catch(() => undefined)) return client;
    await sleep(20);
  }
}
