// Prints the CPU time (user and system) that svc and rclone take to upload the same 5,000 files to the
// same S3 server, in turn: `npm run bench:deploy`. Needs the programs of `test:s3`, and `rclone`.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3_USER, startCeph } from "../s3/ceph.ts";

const PAGES = 5_000;
const ROUNDS = 4;

const ROOT = join(import.meta.dirname, "../..");
const SVC = [process.execPath, join(ROOT, "dist/bin/svc.js")];
const folder = mkdtempSync(join(tmpdir(), "svc-cpu-"));
const server = await startCeph();
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  AWS_ACCESS_KEY_ID: S3_USER.accessKeyId,
  AWS_SECRET_ACCESS_KEY: S3_USER.secretAccessKey,
  AWS_REGION: "us-east-1",
  RCLONE_CONFIG_C_TYPE: "s3",
  RCLONE_CONFIG_C_PROVIDER: "Ceph",
  RCLONE_CONFIG_C_ENDPOINT: server.endpoint,
  RCLONE_CONFIG_C_ENV_AUTH: "true",
};

/** The seconds of CPU time that a program takes. */
function cpuOf(...command: readonly string[]): number {
  const timed = `TIMEFORMAT='%U %S'; time "$0" "$@" 2>log >log`;
  const options = { cwd: folder, env, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync("bash", ["-c", timed, ...command], options);
  if (status !== 0) throw new Error(`${command.join(" ")}: ${readFileSync(join(folder, "log"))}`);
  const [user = 0, system = 0] = stderr.trim().split(" ").map(Number);
  return user + system;
}

/** Publishes the starter with many pages. */
function publish(): void {
  const place = (name: string) => join(folder, "site", name);
  const read = (name: string) => JSON.parse(readFileSync(place(name), "utf8"));
  cpSync(join(ROOT, "fixtures/starter"), place(""), { recursive: true });
  const [project, about] = [read("projects/site.json"), read("entries/about-page.json")];
  for (let n = 0; n < PAGES; n += 1) {
    const text = `The text of page ${n}. `.repeat(100).trim();
    const body = [{ contentBlockId: "paragraph", data: { text } }];
    const entry = { ...about, id: `page-${n}`, data: { ...about.data, body } };
    writeFileSync(place(`entries/page-${n}.json`), JSON.stringify(entry));
    const step = { key: `s${n}`, name: `Step ${n}`, layoutName: "page" };
    project.steps.push({ ...step, id: `s-${n}`, layoutContentId: entry.id });
    project.experiences.push({ id: `x-${n}`, key: `x${n}`, name: `X ${n}`, stepIds: [`s-${n}`] });
  }
  writeFileSync(place("projects/site.json"), JSON.stringify(project));
  cpuOf(...SVC, "publish", "site");
}

try {
  publish();
  for (let round = 0; round < ROUNDS; round += 1) {
    const [own, other] = [`svc-${round}`, `rclone-${round}`];
    for (const bucket of [own, other]) cpuOf("rclone", "mkdir", `c:${bucket}`);
    const svc = cpuOf(...SVC, "deploy", `s3://${own}`, "--endpoint", server.endpoint);
    const copy = ["copy", "out", `c:${other}`, "--transfers", "16", "--checkers", "16"];
    const rclone = cpuOf("rclone", ...copy);
    const what = round === 0 ? "cold" : "warm";
    console.log(`${what}: svc ${svc.toFixed(2)} s, rclone ${rclone.toFixed(2)} s`);
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
process.exit();
