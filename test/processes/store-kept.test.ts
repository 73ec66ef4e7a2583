import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { SCHEMA_VERSION } from "../../src/store/schema.ts";
import { type Stored, startS3 } from "../docs/s3-stand-in.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { credentialsEnv } from "../support/deploy/aws-stand-in.ts";
import { hash } from "../support/deploy/object-bodies.ts";
import { statusOf } from "../support/json-output.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const ADDRESS = "s3://team/kept/workspace.db";
const KEY = "kept/workspace.db";

let objects: Map<string, Stored>;
let endpoint: string;
beforeEach(async () => {
  objects = new Map();
  endpoint = await startS3({ objects });
});

/** The folder of a member of the team. */
class Member extends CliBed {
  constructor(...workspaces: readonly string[]) {
    super(...workspaces);
    this.env = {
      ...credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" }),
      SVC_DEPLOY_ENDPOINT: endpoint,
    };
  }

  /** Runs a command that must succeed; returns what it prints with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access results without types
  async done(...args: readonly string[]): Promise<any> {
    const ran = await this.runBeside(...args, "--json");
    expect(ran, ran.stdout).toMatchObject({ status: 0, stderr: "" });
    return JSON.parse(ran.stdout);
  }

  /** Runs a command that must fail; returns its error. */
  async refused(
    ...args: readonly string[]
  ): Promise<{ code: string; message: string; hint: string }> {
    const ran = await this.runBeside(...args, "--json");
    const { error } = JSON.parse(ran.stdout);
    expect(ran, ran.stdout).toMatchObject({ status: statusOf(error), stderr: "" });
    return error;
  }

  push = (...more: readonly string[]) => this.done("store", "push", ADDRESS, ...more);
  pull = (...more: readonly string[]) => this.done("store", "pull", ADDRESS, ...more);

  /** Changes the store. */
  addToken = (name: string) => this.done("token", "create", "--name", name);

  /** The names of the tokens of the store. */
  async tokens(): Promise<string[]> {
    const { tokens } = await this.done("token", "list");
    return tokens.map(({ name }: { name: string }) => name).sort();
  }

  bytes = () => readFileSync(this.path("workspace.db"));
  files = () => readdirSync(this.folder).sort();
}

/** Two members who have the same store. */
async function pair(): Promise<[Member, Member]> {
  const [one, other] = [new Member(STARTER), new Member()];
  await one.push();
  await other.pull();
  return [one, other];
}

describe("R13: svc store push", () => {
  it("R13: puts a copy there, from which a pull makes the same store elsewhere", async () => {
    const [one, other] = [new Member(STARTER), new Member()];
    await one.done("publish");
    await one.addToken("alice");
    const { etag, bytes } = await one.push();
    expect(objects.get(KEY)?.bytes.length).toBe(bytes);
    expect(await other.pull()).toEqual({ address: ADDRESS, etag, bytes, pulled: true });
    for (const command of [["versions"], ["versions", "--journal"], ["token", "list"], ["stats"]]) {
      expect(await other.done(...command)).toEqual(await one.done(...command));
    }
    expect(await other.done("publish")).toMatchObject({ published: false });
    expect(readFileSync(other.path("out/manifest.json"))).toEqual(
      readFileSync(one.path("out/manifest.json")),
    );
  });

  it("R13a: is refused when somebody else has pushed since the pull, and changes nothing", async () => {
    const [one, other] = await pair();
    await one.addToken("one");
    await one.push();
    await other.addToken("other");
    const [kept, own] = [objects.get(KEY), other.bytes()];
    const error = await other.refused("store", "push", ADDRESS);
    expect(error).toMatchObject({ code: "store-conflict" });
    expect(error.hint).toContain(`svc store pull ${ADDRESS} --discard`);
    expect(objects.get(KEY)).toBe(kept);
    expect(other.bytes()).toEqual(own);
    expect(other.files()).toEqual(["workspace.db", "workspace.db-remote"]);
    await other.pull("--discard");
    expect(await other.tokens()).toEqual(["one"]);
    await other.addToken("other again");
    await other.push();
    await one.pull();
    expect(await one.tokens()).toEqual(["one", "other again"]);
  });

  it("R13a: is refused where there is a store that this one was not pulled from", async () => {
    await pair();
    const third = new Member(STARTER);
    await third.addToken("third");
    expect(await third.refused("store", "push", ADDRESS)).toMatchObject({
      code: "store-conflict",
      message: expect.stringContaining("was not pulled from there"),
    });
  });

  it("R13b: the ETag of another address is not taken for that of this one", async () => {
    await pair();
    const third = new Member(STARTER);
    await third.addToken("third");
    await third.done("store", "push", "s3://team/third.db");
    expect(await third.refused("store", "push", ADDRESS)).toMatchObject({ code: "store-conflict" });
    expect(await third.refused("store", "pull", ADDRESS)).toMatchObject({ code: "store-changed" });
  });

  it("R13a: says so when the object was removed, and does not put it back", async () => {
    const [one] = await pair();
    objects.delete(KEY);
    await one.addToken("one");
    const { code, message, hint } = await one.refused("store", "push", ADDRESS);
    expect({ code, message }).toEqual({
      code: "store-conflict",
      message: `${ADDRESS} was removed since the store "workspace.db" was pulled or pushed`,
    });
    expect(hint).toContain("workspace.db-remote");
    expect(objects.has(KEY)).toBe(false);
  });

  it("R13b: changes no byte of the store, and uploads nothing when nothing changed", async () => {
    const one = new Member(STARTER);
    const before = one.bytes();
    await one.push();
    expect(one.bytes()).toEqual(before);
    expect(one.files()).toEqual(["workspace.db", "workspace.db-remote"]);
    const kept = objects.get(KEY);
    // They keep rendered entries in the store.
    await one.done("check");
    expect(await one.push()).toMatchObject({ pushed: false });
    expect(objects.get(KEY)).toBe(kept);
  });

  it("R13: copies what is committed, while another process is writing", async () => {
    const one = new Member(STARTER);
    await one.addToken("committed");
    const writer = new Database(one.path("workspace.db"));
    onTestFinished(() => void writer.close());
    writer.exec("BEGIN IMMEDIATE; UPDATE tokens SET name = 'written'");
    await one.push();
    const other = new Member();
    await other.pull();
    expect(await other.tokens()).toEqual(["committed"]);
  });

  it("R13a: names a store that ignores conditions before it uploads anything to the address", async () => {
    const ignoring = new Map<string, Stored>();
    const one = new Member(STARTER);
    const address = ["--endpoint", await startS3({ objects: ignoring, ignoresConditions: true })];
    expect(await one.refused("store", "push", ADDRESS, ...address)).toMatchObject({
      code: "conditional-writes-unsupported",
    });
    expect([...ignoring.keys()]).toEqual([`${KEY}.conditions`]);
    expect(existsSync(one.path("workspace.db-remote"))).toBe(false);
  });

  it("R13: succeeds when an earlier one was killed after its upload", async () => {
    const one = new Member(STARTER);
    const { etag } = await one.push();
    writeFileSync(one.path("workspace.db-remote"), '{"address":');
    expect(await one.push()).toMatchObject({ etag });
  });

  it("R13a: is refused below what svc deploy serves", async () => {
    const one = new Member(STARTER);
    for (const target of ["s3://team", "s3://team/kept", "s3://team/kept/"]) {
      expect(await one.refused("store", "push", ADDRESS, "--target", target)).toMatchObject({
        code: "store-served",
      });
    }
    writeFileSync(one.path("svc.config.json"), JSON.stringify({ target: "s3://team" }));
    expect(await one.refused("store", "push", ADDRESS)).toMatchObject({ code: "store-served" });
    one.env = { ...one.env, SVC_DEPLOY_TARGET: "s3://team/kept" };
    expect(await one.refused("store", "push", ADDRESS)).toMatchObject({ code: "store-served" });
    expect(objects.size).toBe(0);
    await one.push("--target", "s3://team/kept/work");
  });

  it("R13: does not push a damaged store", async () => {
    const [one] = await pair();
    await one.addToken("one");
    writeFileSync(one.path("workspace.db"), withDamage(one.bytes()));
    const kept = objects.get(KEY);
    expect(await one.refused("store", "push", ADDRESS)).toMatchObject({ code: "store-damaged" });
    expect(objects.get(KEY)).toBe(kept);
    expect(one.files()).not.toContainEqual(expect.stringMatching(/\.new$/));
  });
});

describe("R14: svc store pull", () => {
  it("R14a: replaces a store without own changes, and keeps its permissions", async () => {
    const [one, other] = await pair();
    chmodSync(other.path("workspace.db"), 0o600);
    await one.addToken("one");
    await one.push();
    expect(await other.pull()).toMatchObject({ pulled: true });
    expect(await other.tokens()).toEqual(["one"]);
    expect(statSync(other.path("workspace.db")).mode & 0o777).toBe(0o600);
    expect(await other.pull()).toMatchObject({ pulled: false });
  });

  it.each([
    ["a token", (one: Member) => one.addToken("own")],
    ["a version", (one: Member) => one.done("publish")],
    ["another draft", changeDraft],
  ])(
    "R14a: does not replace a store with own changes (%s) without --discard",
    async (_, change) => {
      const [one, other] = await pair();
      await one.addToken("one");
      await one.push();
      await change(other);
      const own = other.bytes();
      expect(await other.refused("store", "pull", ADDRESS)).toMatchObject({
        code: "store-changed",
      });
      expect(other.bytes()).toEqual(own);
      expect(await other.pull("--discard")).toMatchObject({ pulled: true });
      expect(await other.tokens()).toEqual(["one"]);
    },
  );

  it("R14: replaces the store that a link leads to", async () => {
    const [one, other] = await pair();
    await one.addToken("one");
    await one.push();
    symlinkSync(other.path("workspace.db"), one.path("linked.db"));
    await one.done("store", "pull", ADDRESS, "--store", "linked.db", "--discard");
    expect(lstatSync(one.path("linked.db")).isSymbolicLink()).toBe(true);
    expect(await other.tokens()).toEqual(["one"]);
  });

  it("R14: leaves own changes where nobody else has pushed", async () => {
    const [one] = await pair();
    await one.addToken("own");
    expect(await one.pull()).toMatchObject({ pulled: false });
    expect(await one.tokens()).toEqual(["own"]);
    await one.push();
  });

  it("R14a: does not replace a store that was not pulled, nor a file that is none", async () => {
    await pair();
    const third = new Member(STARTER);
    const own = third.bytes();
    expect(await third.refused("store", "pull", ADDRESS)).toMatchObject({ code: "store-changed" });
    expect(third.bytes()).toEqual(own);
    writeFileSync(third.path("notes.txt"), "some notes");
    for (const more of [[], ["--discard"]]) {
      const pull = ["store", "pull", ADDRESS, "--store", "notes.txt", ...more];
      expect(await third.refused(...pull)).toMatchObject({ code: "store-not-sqlite" });
    }
    expect(readFileSync(third.path("notes.txt"), "utf8")).toBe("some notes");
  });

  it("R14a: does not replace a store that another process uses", async () => {
    const [one, other] = await pair();
    await one.addToken("one");
    await one.push();
    const user = new Database(other.path("workspace.db"));
    onTestFinished(() => void user.close());
    user.prepare("SELECT count(*) FROM tokens").get();
    expect(await other.refused("store", "pull", ADDRESS)).toMatchObject({ code: "store-locked" });
    expect(await other.tokens()).toEqual([]);
    user.close();
    await other.pull();
    expect(await other.tokens()).toEqual(["one"]);
  });

  it.each([
    ["store-not-found", () => Buffer.of()],
    ["store-not-sqlite", () => Buffer.from("<html>no such page</html>")],
    ["store-damaged", (store: Buffer) => store.subarray(0, store.length / 2)],
    ["store-damaged", withDamage],
    ["store-foreign", (store: Buffer) => withNumber(store, 68, 7)],
    ["store-newer", (store: Buffer) => withNumber(store, 60, SCHEMA_VERSION + 1)],
  ])("R14: replaces nothing by an object that is %s", async (code, change) => {
    const [one, other] = await pair();
    await one.addToken("one");
    await one.push();
    const stored = objects.get(KEY) as Stored;
    const bytes = change(stored.bytes);
    objects.set(KEY, { ...stored, bytes, sha256: hash("sha256", bytes) });
    const [own, files] = [other.bytes(), other.files()];
    for (const more of [[], ["--discard"], ["--store", "new.db"]]) {
      const error = await other.refused("store", "pull", ADDRESS, ...more);
      expect(error.code).toBe(code);
      expect(error.message).toContain(`${ADDRESS} cannot be pulled: `);
      expect(error.message).not.toContain(".new");
    }
    expect(other.bytes()).toEqual(own);
    expect(other.files()).toEqual(files);
  });

  it("R14: replaces nothing by other bytes than were pushed", async () => {
    const [one, other] = await pair();
    await one.addToken("one");
    await one.push();
    const stored = objects.get(KEY) as Stored;
    objects.set(KEY, { ...stored, bytes: withNumber(stored.bytes, 96, 1) });
    const own = other.bytes();
    expect(await other.refused("store", "pull", ADDRESS)).toMatchObject({
      code: "download-differs",
    });
    expect(other.bytes()).toEqual(own);
  });

  it("R14: takes what a removed store has left beside it away", async () => {
    const [one, other] = await pair();
    const third = new Member();
    const crashed = new Database(other.path("workspace.db"));
    onTestFinished(() => void crashed.close());
    crashed.exec("UPDATE workspaces SET id = 'renamed'");
    copyFileSync(other.path("workspace.db-wal"), third.path("workspace.db-wal"));
    await third.pull();
    expect(await third.done("stats")).toEqual(await one.done("stats"));
  });

  it("R14: finds no store where there is none", async () => {
    const { code, message } = await new Member().refused("store", "pull", ADDRESS);
    expect({ code, message }).toEqual({
      code: "store-not-found",
      message: `there is no store at ${ADDRESS}`,
    });
  });

  it.each([
    "s3://team",
    "s3://team/",
    "s3://team/kept/",
    "s3://T/x",
    "s3://ab/x",
    "s3://team/a//b",
    "team/x.db",
    "",
  ])("is not possible from %j, which is no object", async (address) => {
    const { status, stderr } = await new Member().runBeside("store", "pull", address);
    expect(status).toBe(2);
    expect(stderr).toContain(`"${address}" is not the address of an object`);
    expect(stderr).toContain("a bucket has 3 to 63 lower-case letters");
  });
});

async function changeDraft(member: Member): Promise<void> {
  await member.done("export", "content");
  const file = member.path("content/entries/home-page.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("Welcome", "Hello"));
  await member.done("import", "content");
}

/** A store with a damaged page, which hides its rows without an error. */
function withDamage(store: Buffer): Buffer {
  const file = join(temporaryFolder(), "store.db");
  writeFileSync(file, store);
  const database = new Database(file);
  const sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'assets'";
  const page = database.prepare<unknown[], number>(sql).pluck().get() as number;
  const size = database.pragma("page_size", { simple: true }) as number;
  database.close();
  // The number of rows of the page, in its header.
  const damaged = Buffer.from(store);
  damaged.writeUInt16BE(0, size * (page - 1) + 3);
  return damaged;
}

/** A store with a number in its header. */
function withNumber(store: Buffer, offset: number, value: number): Buffer {
  const changed = Buffer.from(store);
  changed.writeUInt32BE(value, offset);
  return changed;
}
