import { setImmediate as nextTurn } from "node:timers/promises";
import { entryIn } from "../../folder/edit/entry-texts.ts";
import type { DraftState } from "../../page/draft-state.ts";
import { fieldsOf, storedChange } from "../../page/stored-changes.ts";
import type { EntryHistory, EntryVersion, FileVersion } from "../../page/team.ts";
import type { JsonObject } from "../../workspace/json.ts";
import type { Git } from "./git.ts";
import { blobsIn } from "./git-history.ts";

/** How many commits of a file are looked at for each version that is shown: others changed other entries in it. */
const LOOKED_AT = 20;
/** The most bytes that are read at once, and of one file. */
const [MOST_READ, LARGEST] = [64 * 1024 * 1024, 16 * 1024 * 1024];

/** A commit that changed a file: what it was and became. Undefined: there was none, or is none. */
interface FileCommit extends Pick<EntryVersion, "commit" | "by" | "at" | "message"> {
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

const NONE = /^0+$/;
const UNKNOWN = { change: "changed", values: [] } as const;

/**
 * H76: the commits that changed a file, newest first, from one place to another.
 *
 * @param prefix of the folder in the repository.
 * @param file below the folder.
 * @param which of the commits; default: no merges
 */
async function fileCommits(
  git: Git,
  prefix: string,
  file: string,
  most: number,
  which: readonly string[] = ["--no-merges"],
): Promise<FileCommit[]> {
  const { status } = await git.tryRead(["rev-parse", "--verify", "--quiet", "HEAD"]);
  // Nothing was ever committed.
  if (status !== 0) return [];
  const format = "--format=%x00%H%x00%aN%x00%aI%x00%s";
  const how = ["--raw", "--no-abbrev", "-z", "--follow", "-M", ...which, "--no-ext-diff"];
  const limit = `--max-count=${most}`;
  const out = await git.read(["log", format, ...how, "--no-textconv", limit, "--", file]);
  return commitsIn(out.toString(), prefix);
}

function commitsIn(text: string, prefix: string): FileCommit[] {
  const words = text.split("\0");
  const commits: FileCommit[] = [];
  for (let at = 0; at + 5 < words.length; ) {
    const [, commit = "", by = "", date = "", message = "", raw = ""] = words.slice(at, at + 6);
    at += 5;
    const [, was = "", is = "", how] = /^\n?:\S+ \S+ (\S+) (\S+) (\w)/.exec(raw) ?? [];
    // Changed with other files only.
    if (how === undefined) continue;
    const [from = "", to = from] = words.slice(at + 1, at + (/[RC]/.test(how) ? 3 : 2));
    at += /[RC]/.test(how) ? 3 : 2;
    const side = (blob: string, path: string): FileVersion | undefined =>
      NONE.test(blob) || !path.startsWith(prefix)
        ? undefined
        : { blob, file: path.slice(prefix.length) };
    const own = { commit, by, at: date, message };
    commits.push({ ...own, before: side(was, from), after: side(is, to) });
  }
  return commits;
}

/** The bytes of files by their hashes, without those that are too large to be read. */
export async function blobsOf(
  git: Git,
  hashes: Iterable<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const asked = [...new Set(hashes)];
  const sizes = await git.read(["cat-file", "--batch-check"], { input: linesOf(asked) });
  const found = new Map<string, Buffer>();
  let [part, size]: [string[], number] = [[], 0];
  const take = async () => {
    const out = await git.read(["cat-file", "--batch"], { input: linesOf(part) });
    for (const [hash, bytes] of blobsIn(out)) found.set(hash, bytes);
    [part, size] = [[], 0];
  };
  for (const line of sizes.toString().split("\n")) {
    const [, hash = "", length] = /^(\w+) blob (\d+)$/.exec(line) ?? [];
    if (length === undefined || Number(length) > LARGEST) continue;
    part.push(hash);
    size += Number(length);
    if (size > MOST_READ) await take();
  }
  if (part.length > 0) await take();
  return found;
}

const linesOf = (hashes: readonly string[]) => hashes.map((hash) => `${hash}\n`).join("");

/** H76: what became of an entry. @param now as it is in its file, where it is now */
export async function entryHistory(
  git: Git,
  prefix: string,
  state: DraftState,
  now: { readonly file: string; readonly record: JsonObject },
  most: number,
): Promise<EntryHistory> {
  const id = String(now.record.id);
  const lookedAt = most * LOOKED_AT;
  const commits = await fileCommits(git, prefix, now.file, lookedAt);
  const versions: EntryVersion[] = [];
  let newest: JsonObject | undefined | null;
  let isAll = commits.length < lookedAt;
  /** By blob: what one commit made is what the next one found. */
  const records = new Map<string, JsonObject | undefined | null>();
  const recordOf = (one: FileVersion | undefined) => one && records.get(one.blob);
  // In parts, as a file of many entries may be large.
  for (let at = 0; at < commits.length; at += LOOKED_AT) {
    const part = commits.slice(at, at + LOOKED_AT);
    const files = part.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
    const unread = new Map(
      files.flatMap(({ blob, file }) => (records.has(blob) ? [] : [[blob, file]])),
    );
    const blobs = await blobsOf(git, unread.keys());
    for (const [blob, file] of unread) {
      const bytes = blobs.get(blob);
      records.set(blob, bytes === undefined ? null : entryIn(file, bytes, id));
      await nextTurn();
    }
    for (const { before, after, ...commit } of part) {
      const [was, is] = [recordOf(before), recordOf(after)];
      newest ??= is;
      if (is === null || after === undefined || (was === undefined && is === undefined)) continue;
      // Which fields differ from what cannot be read is not known.
      const change = was === null ? UNKNOWN : storedChange(state, was, is);
      if (change === undefined) continue;
      versions.push({ ...commit, ...after, change: change.change, fields: fieldsOf(change) });
    }
    if (versions.length > most) {
      isAll = false;
      break;
    }
  }
  const saved = await savedRecord(git, prefix, now.file, id, records);
  const merged = saved && storedChange(state, newest ?? undefined, saved);
  if (saved && merged) {
    const merge = await mergeThatMade(git, prefix, state, now.file, saved);
    if (merge) versions.unshift({ ...merge, change: merged.change, fields: fieldsOf(merged) });
  }
  const unsaved = storedChange(state, saved, now.record);
  return {
    versions: versions.slice(0, most),
    hasMore: !isAll || versions.length > most,
    unsaved: unsaved === undefined ? [] : fieldsOf(unsaved),
  };
}

/** The entry as it is in the last commit. @param records those read before, by blob */
async function savedRecord(
  git: Git,
  prefix: string,
  file: string,
  id: string,
  records: ReadonlyMap<string, JsonObject | undefined | null>,
): Promise<JsonObject | undefined> {
  const asked = ["rev-parse", "--verify", "--quiet", `HEAD:${prefix}${file}`];
  const { status, out } = await git.tryRead(asked);
  if (status !== 0) return undefined;
  const blob = out.toString().trim();
  if (records.has(blob)) return records.get(blob) ?? undefined;
  const bytes = (await blobsOf(git, [blob])).get(blob);
  return (bytes && entryIn(file, bytes, id)) ?? undefined;
}

/** H76: the merge by which an entry became what is saved, where the newest of the other commits did not. */
async function mergeThatMade(
  git: Git,
  prefix: string,
  state: DraftState,
  file: string,
  saved: JsonObject,
) {
  const merges = await fileCommits(git, prefix, file, LOOKED_AT, ["--merges", "-m"]);
  const blobs = await blobsOf(
    git,
    merges.flatMap(({ after }) => after?.blob ?? []),
  );
  for (const { before: _, after, ...commit } of merges) {
    const bytes = after && blobs.get(after.blob);
    const record = bytes && entryIn(after.file, bytes, String(saved.id));
    if (after && record && !storedChange(state, record, saved)) return { ...commit, ...after };
  }
  return undefined;
}
