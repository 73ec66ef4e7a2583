import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { verify } from "../../src/publish/verify.ts";
import { openStore } from "../../src/store/store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { foldersBelow, pathsBelow } from "../support/file-tree.ts";
import { HostedProgram } from "../support/hosted-program.ts";
import { PROGRAM } from "../support/program.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** A command, with the name of its store, if it has one. */
export interface Command {
  readonly args: readonly string[];
  readonly store?: string;
}

export interface Ended {
  /** Null: it was killed. */
  readonly status: number | null;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests access results without types
  readonly value: any;
}

/** What a bed has: all stores, and all files of published and of workspace folders by their hashes. */
export interface State {
  readonly stores: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

const PUBLISHED = ["out", "folder-out"];

/** A folder with stores, published files and workspace folders, in which commands are interrupted. */
export class CrashBed {
  readonly folder: string;
  /** The folder of the stores: the same, or one on another disk. */
  readonly stores: string;

  constructor(folder = temporaryFolder(), stores = folder) {
    this.folder = folder;
    this.stores = stores;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs a command in the process that stays: the one of this worker. */
  run(command: Command): Ended {
    const { PATH = "" } = process.env;
    const hosted = { args: this.#words(command), folder: this.folder, env: { PATH } };
    const { status, stdout, stderr } = HostedProgram.get().run(hosted);
    return { status, stderr, value: JSON.parse(stdout) };
  }

  ok(command: Command): unknown {
    const { status, value, stderr } = this.run(command);
    expect(status, `svc ${command.args.join(" ")}: ${JSON.stringify(value)}${stderr}`).toBe(0);
    return value;
  }

  /** Starts a command in a process of its own. */
  start(command: Command) {
    const { PATH = "" } = process.env;
    const options = { cwd: this.folder, env: { PATH }, stdio: "pipe" } as const;
    const child = spawn(process.execPath, [PROGRAM, ...this.#words(command)], options);
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (bytes) => out.push(bytes));
    child.stderr.on("data", (bytes) => err.push(bytes));
    const ended = once(child, "close").then((): Ended => {
      const stdout = Buffer.concat(out).toString();
      const value = stdout === "" ? undefined : JSON.parse(stdout);
      return { status: child.exitCode, stderr: Buffer.concat(err).toString(), value };
    });
    return { child, ended };
  }

  #words({ args, store }: Command): string[] {
    return [
      ...args,
      ...(store === undefined ? [] : ["--store", join(this.stores, store)]),
      "--json",
    ];
  }

  /** A bed with the same files, and stores. */
  copy(folder = temporaryFolder(), stores = folder): CrashBed {
    const isStore = (path: string) => path.startsWith(`${this.stores}/`) && path.includes(".db");
    cpSync(this.folder, folder, { recursive: true, filter: (path) => !isStore(path) });
    mkdirSync(stores, { recursive: true });
    for (const name of readdirSync(this.stores).filter((one) => one.includes(".db"))) {
      copyFileSync(join(this.stores, name), join(stores, name));
    }
    return new CrashBed(folder, stores);
  }

  /** The state after these commands, which nothing interrupts. */
  after(...commands: readonly Command[]): State {
    const twin = this.copy();
    for (const command of commands) twin.ok(command);
    return twin.state();
  }

  state(): State {
    const names = readdirSync(this.stores).filter((name) => name.endsWith(".db"));
    const paths = pathsBelow(this.folder).filter((path) => !/^[^/]+$/.test(path));
    const hash = (path: string) =>
      createHash("sha256")
        .update(readFileSync(this.path(path)))
        .digest("hex");
    return {
      stores: Object.fromEntries(names.map((name) => [name, storeState(join(this.stores, name))])),
      files: Object.fromEntries(
        paths.filter((path) => !isTransient(path)).map((path) => [path, hash(path)]),
      ),
    };
  }

  /** Files that exist only during a change, and folders without any file. */
  leftovers(): string[] {
    const below = PUBLISHED.filter((name) => existsSync(this.path(name)));
    const empty = below.flatMap((name) =>
      foldersBelow(this.path(name))
        .map((folder) => `${name}/${folder}`)
        .filter((folder) => readdirSync(this.path(folder)).length === 0),
    );
    const beside = readdirSync(this.stores).filter((name) => /\.new|-wal$|-shm$/.test(name));
    return [...pathsBelow(this.folder).filter(isTransient), ...empty, ...beside];
  }

  /**
   * F5, R5, G3, M3: after an interruption every store and every file is old or new. No file is new
   * before the store is, and published files that are neither are reported as interrupted.
   */
  expectOldOrNew(before: State, after: State): "before" | "writing" | "after" {
    const now = this.state();
    expect(differing(now.stores, before.stores, after.stores), "neither old nor new").toEqual([]);
    // An export lists the files of both before it changes one.
    const odd = differing(now.files, before.files, after.files);
    expect(
      odd.filter((path) => !path.endsWith(".svc/exported.txt")),
      "torn",
    ).toEqual([]);
    const isChanging = differing(before.stores, after.stores).length > 0;
    const isCommitted = isChanging && differing(now.stores, after.stores).length === 0;
    if (isChanging && !isCommitted) expect(differing(now.files, before.files)).toEqual([]);
    for (const name of PUBLISHED) {
      const own = ({ files }: State) =>
        Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(`${name}/`)));
      const isComplete = differing(own(now), own(after)).length === 0;
      const isOld = differing(own(now), own(before)).length === 0;
      const verified = verifyState(this.path(name));
      if (!isComplete && (!isOld || isCommitted)) expect(verified, name).toBe("interrupted");
      if (verified === "ok") expect(isComplete || isOld, name).toBe(true);
    }
    const isAt = (state: State) => JSON.stringify(now) === JSON.stringify(state);
    return isAt(after) ? "after" : isAt(before) ? "before" : "writing";
  }

  /** The next command leaves exactly what the interrupted one should have. */
  complete(command: Command, after: State): void {
    const isMigrated = command.args[0] === "migrate" && differing(this.state().files, after.files);
    if (!isMigrated || isMigrated.length > 0) {
      this.ok(command);
      expect(this.leftovers(), "left behind").toEqual([]);
    } else {
      // F4: the lock of a migration that was killed at its end means nothing, and nothing is left to do.
      rmSync(this.path("content/.svc-lock"), { force: true });
    }
    expect(this.state()).toEqual(after);
  }
}

function isTransient(path: string): boolean {
  return /(^|\/)\.svc-(?:lock$|writing\.|migration\/)/.test(path);
}

/** The keys at which an object differs from all of these. */
function differing(one: Readonly<Record<string, string>>, ...others: (typeof one)[]): string[] {
  const keys = new Set([one, ...others].flatMap((object) => Object.keys(object)));
  return [...keys].filter((key) => others.every((other) => other[key] !== one[key]));
}

function verifyState(out: string): "ok" | "interrupted" | "differs" {
  try {
    const { ok, interrupted } = verify(out, () => {});
    return ok ? "ok" : interrupted === undefined ? "differs" : "interrupted";
  } catch (error) {
    expect(error).toBeInstanceOf(SvcError);
    const { code, message } = error as SvcError;
    expect(code, message).toBe("manifest-missing");
    return message.includes("interrupted") ? "interrupted" : "differs";
  }
}

const DRAFT_TABLES = ["records", "entries", "assets", "draft_files"];

/** Queries that must find nothing. */
const ORPHANS = [
  "SELECT sha256 FROM documents WHERE number NOT IN (SELECT document FROM version_documents)",
  `SELECT sha256 FROM files WHERE sha256 NOT IN (SELECT sha256 FROM draft_files)
   AND sha256 NOT IN (SELECT sha256 FROM version_files)`,
];

/** Draft, versions and journal of a store, as JSON. Fails when it is inconsistent. */
function storeState(file: string): string {
  const store = openStore(file);
  const workspaces = store.workspaces().map(({ number, id }) => {
    const versions = store.history.list(number).map(({ versionId }) => versionId);
    // Throws unless the documents match the version id.
    for (const version of versions) store.versions.contents(number, version);
    const journal = store.history.journal(number).map((one) => `${one.action} ${one.to}`);
    const isHeld = store.history.hold(number) !== undefined;
    return { id, versions, journal, current: store.history.current(number), isHeld };
  });
  store.close();
  const database = new Database(file);
  try {
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(database.pragma("foreign_key_check")).toEqual([]);
    for (const orphans of ORPHANS) expect(database.prepare(orphans).all()).toEqual([]);
    const hash = createHash("sha256");
    hash.update(JSON.stringify(database.prepare("SELECT settings FROM workspaces").all()));
    for (const table of DRAFT_TABLES) {
      const columns = meaningful(database, table);
      const rows = database.prepare(`SELECT ${columns} FROM ${table} ORDER BY ${columns}`).raw();
      for (const row of rows.iterate()) hash.update(JSON.stringify(row));
    }
    return JSON.stringify({ workspaces, draft: hash.digest("hex") });
  } finally {
    database.close();
  }
}

/** The columns of a table, without numbers and revisions. */
function meaningful(database: Database.Database, table: string): string {
  return database
    .prepare<unknown[], string>("SELECT name FROM pragma_table_info(?)")
    .pluck()
    .all(table)
    .filter((name) => name !== "number" && name !== "revision")
    .join(", ");
}
