import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandTree } from "../../src/cli/main.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";

const TREE = await commandTree();
const COMMANDS = [...TREE]
  .filter(([, { commands }]) => commands.length === 0)
  .map(([name]) => name);

const NO_STORE = "--store none.db";
/** Nothing listens on this port. */
const NOBODY = "http://127.0.0.1:9";
const ARN = "arn:aws:cloudfront::123456789012:key-value-store/01234567-89ab-cdef-0123-456789abcdef";
const RELEASES = `s3://bucket --kvs ${ARN} --endpoint ${NOBODY}`;

/** Arguments with which a command fails, whatever the content is. Others print what is built in. */
const FAILING: Readonly<Record<string, string>> = {
  "svc init": "file",
  "svc dev": "nowhere",
  "svc import": "nowhere",
  "svc export": "file",
  "svc migrate": "nowhere remove-field page intro",
  "svc check": NO_STORE,
  "svc stats": NO_STORE,
  "svc publish": NO_STORE,
  "svc write": NO_STORE,
  "svc versions": NO_STORE,
  "svc diff": NO_STORE,
  "svc rollback": `f51 ${NO_STORE}`,
  "svc types": NO_STORE,
  "svc verify": "--out nowhere",
  "svc serve": "--host 192.0.2.1 --port 0",
  "svc preview": NO_STORE,
  "svc deploy": "s3://bucket --out nowhere",
  "svc deploy list": RELEASES,
  "svc deploy rollback": RELEASES,
  "svc deploy pin": `s3://bucket r1 --kvs ${ARN} --endpoint ${NOBODY}`,
  "svc deploy unpin": `s3://bucket r1 --kvs ${ARN} --endpoint ${NOBODY}`,
  "svc deploy prune": RELEASES,
  "svc cdn tokens": `--kvs ${ARN} ${NO_STORE}`,
  "svc schema folder": "nowhere",
  "svc merge-driver install": "nowhere",
  "svc merge-driver run": "none.json none.json none.json",
  "svc store pull": `s3://bucket/key --endpoint ${NOBODY}`,
  "svc store push": `s3://bucket/key ${NO_STORE}`,
  "svc token create": NO_STORE,
  "svc token list": NO_STORE,
  "svc token revoke": `tok_0 ${NO_STORE}`,
};

/** Arguments with which a command has findings, by command. */
const FINDING: readonly (readonly [command: string, args: string])[] = [
  ["svc import", "faulty"],
  ["svc migrate", "content rename-field page nothing other"],
  ["svc migrate", "faulty rename-field page intro lead"],
  ["svc check", "wrong"],
  ["svc check", "faulty"],
  ["svc stats", "faulty"],
  ["svc publish", "wrong --out new"],
  ["svc publish", "faulty --out new"],
  ["svc publish", "content --max-removals 0"],
  ["svc publish", "content --max-removals 0 --dry-run"],
  ["svc diff", "faulty"],
  ["svc diff", "out content --breaking"],
  ["svc types", "faulty"],
  ["svc types", "content -o file --check"],
  ["svc verify", "--out damaged"],
  ["svc deploy", "s3://bucket --out damaged"],
  ["svc merge-driver run", "base.json ours.json theirs.json"],
  ["svc cdn doctor", `--url ${NOBODY}/api/v1`],
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

describe("cli.md: exit status", { timeout: 120_000 }, () => {
  it("is 2 for wrong usage of each command", () => {
    const bed = new CliBed();
    for (const words of COMMANDS) {
      const args = words.split(" ").slice(1);
      expect(bed.json(2, ...args, "--no-such-option").error.code, words).toBe("usage");
    }
  });

  it("is 3 when a command fails whatever the content is, and no command is left out", () => {
    const bed = statusBed();
    const statuses = Object.entries(FAILING).map(([words, args]) => {
      const { status, stdout } = bed.run(
        ...words.split(" ").slice(1),
        ...args.split(" "),
        "--json",
      );
      return [words, status, Object.keys(JSON.parse(stdout))];
    });
    expect(statuses).toEqual(Object.keys(FAILING).map((words) => [words, 3, ["error"]]));
    const others = COMMANDS.filter((words) => !Object.hasOwn(FAILING, words));
    expect(others).toEqual([
      "svc cdn function",
      "svc cdn template",
      "svc cdn doctor",
      "svc cdn nginx",
      "svc completion",
    ]);
  });

  it.each(FINDING)("of %s %s is 1: it has findings", (words, args) => {
    const { status, stdout } = statusBed().run(...words.split(" ").slice(1), ...args.split(" "));
    expect({ status, stdout }).toMatchObject({ status: 1 });
  });
});
