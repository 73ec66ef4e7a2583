import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { COMMANDS } from "../support/json-output.ts";

const NO_STORE = "--store none.db";
/** Nothing listens on this port. */
const NOBODY = "http://127.0.0.1:9";
const ARN = "arn:aws:cloudfront::123456789012:key-value-store/01234567-89ab-cdef-0123-456789abcdef";
const RELEASES = `s3://bucket --kvs ${ARN} --endpoint ${NOBODY}`;

/** Arguments with which a command fails, whatever the content is. Others print what is built in. */
const FAILING = {
  init: "file",
  dev: "nowhere",
  import: "nowhere",
  export: "file",
  migrate: "nowhere remove-field page intro",
  check: NO_STORE,
  stats: NO_STORE,
  publish: NO_STORE,
  write: NO_STORE,
  versions: NO_STORE,
  diff: NO_STORE,
  rollback: `f51 ${NO_STORE}`,
  resume: NO_STORE,
  types: NO_STORE,
  verify: "--out nowhere",
  serve: "--host 192.0.2.1 --port 0",
  preview: `${NO_STORE} --port 0`,
  deploy: "s3://bucket --out nowhere",
  "deploy list": RELEASES,
  "deploy rollback": RELEASES,
  "deploy resume": RELEASES,
  "deploy pin": `s3://bucket r1 --kvs ${ARN} --endpoint ${NOBODY}`,
  "deploy unpin": `s3://bucket r1 --kvs ${ARN} --endpoint ${NOBODY}`,
  "deploy prune": RELEASES,
  "cdn tokens": `--kvs ${ARN} ${NO_STORE}`,
  "schema folder": "nowhere",
  "merge-driver install": "nowhere",
  "merge-driver run": "none.json none.json none.json",
  "token create": NO_STORE,
  "token list": NO_STORE,
  "token revoke": `tok_0 ${NO_STORE}`,
};

/** How these end that do not name a store or folder that is not there. */
const OTHERWISE: Readonly<Record<string, string>> = {
  init: "4 folder-not-empty",
  export: "4 folder-not-empty",
  verify: "4 manifest-missing",
  serve: "2 host-unknown",
  deploy: "4 manifest-missing",
  "deploy list": "4 credentials-missing",
  "deploy rollback": "4 credentials-missing",
  "deploy resume": "4 credentials-missing",
  "deploy pin": "4 credentials-missing",
  "deploy unpin": "4 credentials-missing",
  "deploy prune": "4 credentials-missing",
  "merge-driver run": "4 system",
};

/** Arguments with which a command has findings, by command. */
const FINDING: readonly (readonly [command: string, args: string])[] = [
  ["import", "faulty"],
  ["migrate", "content rename-field page nothing other"],
  ["migrate", "faulty rename-field page intro lead"],
  ["check", "wrong"],
  ["check", "faulty"],
  ["stats", "faulty"],
  ["publish", "wrong --out new"],
  ["publish", "wrong --dry-run"],
  ["publish", "faulty --out new"],
  ["diff", "faulty"],
  ["diff", "out content --breaking"],
  ["types", "faulty"],
  ["types", "content -o file --check"],
  ["verify", "--out damaged"],
  ["deploy", "s3://bucket --out damaged"],
  ["merge-driver run", "base.json ours.json theirs.json"],
  ["cdn doctor", `--url ${NOBODY}/api/v1`],
];

/** A published workspace; `content` removes a field and a page, `wrong` has an error, `faulty` a fault. */
function statusBed(): CliBed {
  const bed = new CliBed(STARTER);
  bed.ok("publish");
  cpSync(bed.path("out"), bed.path("damaged"), { recursive: true });
  rmSync(bed.path("damaged/404.json"));
  writeFileSync(bed.path("file"), "mine");
  for (const name of ["base", "ours", "theirs"]) {
    writeFileSync(bed.path(`${name}.json`), `{ "a": "${name}" }`);
  }
  for (const name of ["content", "wrong", "faulty"]) {
    cpSync(STARTER, bed.path(name), { recursive: true });
  }
  edit(bed.path("content/models/page.json"), '"key": "intro"', '"key": "lead"');
  edit(bed.path("content/projects/site.json"), '"id": "welcome"', '"id": "start"');
  edit(bed.path("wrong/entries/about-page.json"), '"modelId": "page"', '"modelId": "author"');
  edit(bed.path("faulty/models/page.json"), '"key": "intro"', '"key": 1');
  return bed;
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

describe("cli.md: exit status", () => {
  it("is 2 for wrong usage of each command", () => {
    const bed = new CliBed();
    for (const words of COMMANDS) {
      const args = words.split(" ");
      expect(bed.json(2, ...args, "--no-such-option").error.code, words).toBe("usage");
    }
  });

  it("is that of the error's code when a command fails whatever the content is, and no command is left out", () => {
    const bed = statusBed();
    const statuses = Object.entries(FAILING).map(([words, args]) => {
      const { status, stdout } = bed.run(...words.split(" "), ...args.split(" "), "--json");
      return [words, `${status} ${JSON.parse(stdout).error.code}`];
    });
    expect(statuses).toEqual(
      Object.entries(FAILING).map(([words, args]) => {
        const missing = args.includes(NO_STORE) ? "store" : "folder";
        return [words, OTHERWISE[words] ?? `2 ${missing}-not-found`];
      }),
    );
    const others = COMMANDS.filter((words) => !Object.hasOwn(FAILING, words));
    expect(others).toEqual([
      "cdn function",
      "cdn worker",
      "cdn template",
      "cdn doctor",
      "cdn nginx",
      "completion",
    ]);
  });

  it("is 1 where a command has findings, and 4 where a publish removes too much", () => {
    const bed = statusBed();
    const refused = ["", " --dry-run"].map(
      (option) => ["publish", `content --max-removals 0${option}`] as const,
    );
    const statuses = [...FINDING, ...refused].map(([words, args]) => {
      const { status } = bed.run(...words.split(" "), ...args.split(" "));
      return `${status} ${words} ${args}`;
    });
    expect(statuses).toEqual([
      ...FINDING.map(([words, args]) => `1 ${words} ${args}`),
      ...refused.map(([words, args]) => `4 ${words} ${args}`),
    ]);
  });
});
