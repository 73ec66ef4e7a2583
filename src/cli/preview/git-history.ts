import type { Git } from "./git.ts";

/** A file in a commit: of which it is the same in all that have this blob. */
export interface PastFile {
  /** Below the folder, with `/`. */
  readonly file: string;
  readonly blob: string;
}

interface Parent {
  readonly commit: string;
  /** By file of the commit, what it was in the parent; undefined: it was not there. */
  readonly changed: ReadonlyMap<string, PastFile | undefined>;
}

/** The commits that have changed files of a folder, each before its parents. */
export interface History {
  /** What the last commit has. */
  readonly files: readonly PastFile[];
  readonly commits: readonly { readonly commit: string; readonly parents: readonly Parent[] }[];
}

/**
 * H72: the history of files and folders of a folder, from a commit on. A file that was moved as it is keeps its own.
 *
 * @param paths relative to the folder
 */
export async function historyOf(
  git: Git,
  head: string,
  paths: readonly string[],
): Promise<History> {
  const read = async (args: readonly string[], input = "") =>
    (await git.tryRead([...args, "--", ...paths], { input })).out.toString();
  const tree = await read(["ls-tree", "-r", "-z", head]);
  const lines = (await read(["rev-list", "--topo-order", "--parents", head])).split("\n");
  const commits = lines.filter((line) => line !== "").map((line) => line.split(" "));
  const edges = commits.flatMap(([commit = "", ...parents]) => {
    return parents.map((parent) => `${commit} ${parent}\n`);
  });
  // Each edge begins with its commit, also where nothing differs.
  const raw = ["--stdin", "--always", "-r", "--raw", "--no-abbrev", "--no-renames", "--relative"];
  const differences = changesIn(await read(["diff-tree", "-z", ...raw], edges.join("")));
  return {
    files: tree.split("\0").flatMap((line) => {
      const [, blob = "", file = ""] = /^100\d+ blob (\w+)\t(.*)$/s.exec(line) ?? [];
      return blob === "" ? [] : { file, blob };
    }),
    commits: commits.map(([commit = "", ...parents]) => ({
      commit,
      parents: parents.map((parent) => ({
        commit: parent,
        changed: differences.next().value ?? new Map(),
      })),
    })),
  };
}

/** Of each edge in turn. */
function* changesIn(raw: string): Generator<Parent["changed"], undefined> {
  const words = raw.split("\0");
  let changed: Map<string, PastFile | undefined> | undefined;
  const added = new Map<string, string>();
  const gone: PastFile[] = [];
  const whole = () => {
    // Moved, and not a byte of it changed.
    const left = new Map(gone.map((one) => [one.blob, one]));
    for (const [file, blob] of added) changed?.set(file, left.get(blob));
    added.clear();
    gone.length = 0;
    return changed;
  };
  for (let at = 0; at < words.length - 1; at += 1) {
    const [, before = "", after = "", kind] =
      /^:\d+ \d+ (\w+) (\w+) (\w)/.exec(words[at] ?? "") ?? [];
    if (kind === undefined) {
      const last = whole();
      if (last !== undefined) yield last;
      changed = new Map();
      continue;
    }
    at += 1;
    const file = words[at] ?? "";
    if (kind === "A") added.set(file, after);
    else if (kind === "D") gone.push({ file, blob: before });
    else changed?.set(file, { file, blob: before });
  }
  const last = whole();
  if (last !== undefined) yield last;
  return undefined;
}

/** How many blobs are read at once: many small ones, of a large file one. */
const AT_ONCE = 500;

/** Reads blobs, those that are probably wanted next with them. */
export class Blobs {
  readonly #git: Git;
  readonly #next: PastFile[];
  #known = new Map<string, Buffer>();

  /** @param order in which they are wanted, as far as all of them are. */
  constructor(git: Git, order: readonly PastFile[]) {
    this.#git = git;
    this.#next = order.toReversed();
  }

  async read({ blob }: PastFile): Promise<Buffer> {
    const known = this.#known.get(blob);
    if (known !== undefined) return known;
    const wanted = new Set([blob]);
    for (let most = AT_ONCE; most > 0 && this.#next.length > 0; most -= 1) {
      const one = this.#next.pop() as PastFile;
      wanted.add(one.blob);
      if (!one.file.includes("/")) break;
    }
    const { out } = await this.#git.tryRead(["cat-file", "--batch"], {
      input: `${[...wanted].join("\n")}\n`,
    });
    this.#known = blobsIn(out);
    return this.#known.get(blob) ?? Buffer.alloc(0);
  }
}

/** Each has a line with its id, kind and size before it; one that is missing has no size. */
export function blobsIn(out: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf(10, at);
    const [id = "", , size = ""] = out.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (size === "") continue;
    found.set(id, out.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}
