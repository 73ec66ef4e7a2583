import { type ChildProcess, spawn } from "node:child_process";
import { SvcError } from "../../workspace/errors.ts";
import { printable } from "../../workspace/printable.ts";

/** How long it may take, in milliseconds: hooks may test a site, and a server may be far away. */
const [READ_WITHIN, DONE_WITHIN] = [30_000, 300_000];
/** The most that it may answer, and of what it says to a person, in bytes and characters. */
const [MOST_BYTES, MOST_SAID] = [256 * 1024 * 1024, 4000];

/** Since then it merges without touching files, and takes settings from the environment. */
const OLDEST = [2, 38] as const;

export interface Ran {
  readonly status: number;
  readonly out: Buffer;
  /** What it said to a person, without secrets. */
  readonly said: string;
}

interface Options {
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

/** Variables that would lead it to another repository, or have it print more. */
const OTHERS =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|CONFIG|CONFIG_PARAMETERS|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|GRAFT_FILE|SHALLOW_FILE|EXTERNAL_DIFF|CURL_VERBOSE|TRACE.*|.*_PATHSPECS|TERMINAL_PROMPT)$/;

/** H75a: it never asks, not even in a terminal or a window of its own. */
const QUIET = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  GIT_EDITOR: "true",
  LC_ALL: "C",
};

/** H75: nothing that the configuration of a repository names runs, and nothing is fetched or written. */
const READING = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_LITERAL_PATHSPECS: "1",
};
const SAFE_SETTINGS = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["log.showSignature", "false"],
] as const;

/** The Git of this machine, in a folder. */
export class Git {
  readonly #folder: string;
  readonly #doneWithin: number;
  #isNewEnough: Promise<void> | undefined;

  constructor(folder: string, doneWithin = DONE_WITHIN) {
    this.#folder = folder;
    this.#doneWithin = doneWithin;
  }

  /**
   * H75: the path of the folder in its repository, "" or with "/" at its end; undefined: it is in none, or there is
   * no Git.
   *
   * @throws SvcError `git-failed` when Git refuses the repository, or is too old.
   */
  async prefix(): Promise<string | undefined> {
    this.#isNewEnough ??= this.#assertNewEnough();
    try {
      await this.#isNewEnough;
    } catch (error) {
      this.#isNewEnough = undefined;
      if ((error as Partial<NodeJS.ErrnoException>).code === "ENOENT") return undefined;
      throw error;
    }
    const { status, out, said } = await this.tryRead(["rev-parse", "--show-prefix"]);
    if (status === 0) return out.toString().replace(/\n$/, "");
    if (/not a git repository|must be run in a work tree/.test(said)) return undefined;
    throw failed("it refuses the repository", said);
  }

  /** As `tryRead`. @throws SvcError `git-failed` when it fails. */
  async read(args: readonly string[], options?: Options): Promise<Buffer> {
    const { status, out, said } = await this.tryRead(args, options);
    if (status !== 0) throw failed(`git ${args[0]} failed`, said);
    return out;
  }

  /** H75: of a repository that anyone may have made. Differences need `--no-ext-diff` and `--no-textconv`. */
  tryRead(args: readonly string[], options: Options = {}): Promise<Ran> {
    const env = { ...READING, ...options.env };
    return this.#run(args, { ...options, env }, SAFE_SETTINGS, READ_WITHIN);
  }

  /** H75: as `tryRead`, of the files in the folder, which filters of the repository would change. */
  async tryReadFiles(args: readonly string[]): Promise<Ran> {
    const scoped = ["config", "-z", "--show-scope", "--name-only", "--get-regexp", "^filter\\."];
    const { out } = await this.tryRead(scoped);
    const [scopes, names] = Object.values(
      Object.groupBy(out.toString().split("\0"), (_, at) => String(at % 2)),
    );
    const own = (names ?? []).filter((_, at) => /^(?:local|worktree)$/.test(scopes?.[at] ?? ""));
    const filters = new Set(own.map((name) => name.slice(0, name.lastIndexOf("."))));
    const off = [...filters].flatMap((filter) => [
      ...["clean", "smudge", "process"].map((name) => [`${filter}.${name}`, ""] as const),
      [`${filter}.required`, "false"] as const,
    ]);
    return this.#run(args, { env: READING }, [...SAFE_SETTINGS, ...off], READ_WITHIN);
  }

  /** As its owner would run it, with hooks, filters and credentials: only when somebody has asked for that. */
  run(
    args: readonly string[],
    options: Options = {},
    settings: readonly (readonly [name: string, value: string])[] = [],
  ): Promise<Ran> {
    return this.#run(args, options, settings, this.#doneWithin);
  }

  async #assertNewEnough(): Promise<void> {
    const { out } = await this.tryRead(["version"]);
    const [, version = "", major, minor] = /((\d+)\.(\d+)[.\d]*)/.exec(out.toString()) ?? [];
    const [oldMajor, oldMinor] = OLDEST;
    const isNew = Number(major) > oldMajor || Number(minor) >= oldMinor;
    if (Number(major) >= oldMajor && isNew) return;
    throw failed(`version ${version} is too old`, `install ${OLDEST.join(".")} or newer`);
  }

  #run(
    args: readonly string[],
    { input = "", env }: Options,
    settings: readonly (readonly [name: string, value: string])[],
    within: number,
  ): Promise<Ran> {
    const inherited = Object.entries(process.env).filter(([name]) => !OTHERS.test(name));
    const before = Number(process.env.GIT_CONFIG_COUNT ?? 0);
    const set = settings.flatMap(([name, value], at) => [
      [`GIT_CONFIG_KEY_${before + at}`, name],
      [`GIT_CONFIG_VALUE_${before + at}`, value],
    ]);
    const child = spawn("git", ["--no-pager", ...args], {
      cwd: this.#folder,
      env: {
        ...Object.fromEntries([...inherited, ...set]),
        GIT_CONFIG_COUNT: String(before + settings.length),
        ...QUIET,
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
      // Without a terminal, in which ssh would ask; and what it has started is ended with it.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    return ended(child, input, within);
  }
}

function ended(child: ChildProcess, input: string | Uint8Array, within: number): Promise<Ran> {
  return new Promise((resolve, reject) => {
    let [size, said] = [0, ""];
    const out: Buffer[] = [];
    const stop = (why: string) => {
      clearTimeout(timer);
      kill(child);
      reject(failed(why, "nothing more was done"));
    };
    const timer = setTimeout(() => stop(`it took longer than ${within / 1000} s`), within);
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) stop("it answers more than 256 MiB");
      else out.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      if (said.length < MOST_SAID * 10) said += chunk.toString();
    });
    // It may end before it has read all.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (status) => {
      clearTimeout(timer);
      resolve({ status: status ?? 1, out: Buffer.concat(out), said: saidSafely(said) });
    });
  });
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && process.platform !== "win32")
      process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** H75a: as text of some lines, and addresses without what may be a password or a token. */
export function saidSafely(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a hook.
  const plain = text.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, "").slice(-MOST_SAID);
  const lines = plain.split(/\r\n|\r|\n/).map((line) => printable(line.replaceAll("\t", " ")));
  return lines
    .join("\n")
    .replaceAll(/([a-z][a-z\d+.-]*:\/\/)[^\s/]*@/gi, "$1")
    .replaceAll(/([a-z][a-z\d+.-]*:\/\/[^\s?#'"]*)[?#][^\s'"]*/gi, "$1")
    .trim();
}

function failed(what: string, hint: string): SvcError {
  return new SvcError("git-failed", `Git: ${what}`, { hint });
}
