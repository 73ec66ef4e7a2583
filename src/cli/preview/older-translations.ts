import { setImmediate as nextTurn } from "node:timers/promises";
import { canonicalJson } from "../../documents/canonical-json.ts";
import type { OlderValue, OlderValues } from "../../documents/language-stats.ts";
import { type LocalizedValue, localizedValues } from "../../documents/translation.ts";
import { localizedModels } from "../../fields/localized.ts";
import { parseJsonText } from "../../folder/json-text.ts";
import type { Draft, EntryHead } from "../../workspace/draft.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { mainLanguage } from "../../workspace/language.ts";
import { Git } from "./git.ts";
import { Blobs, type History, historyOf, type PastFile } from "./git-history.ts";

const PATHS = ["entries", "entries.json", "entries.jsonc", "entries.ndjson"];
/** How long the history of all entries may take, and how long others wait for a part of it, in milliseconds. */
const [WITHIN, SLICE] = [60_000, 20];

/** A translation as it is, and its source and place as they were in the commit that has been reached. */
interface Reached {
  readonly head: EntryHead;
  readonly now: LocalizedValue;
  readonly locale: string;
  before: JsonValue;
  path: string;
}

/** By file, as it is named in a commit. */
type ReachedIn = Map<string, Reached[]>;

/** H72: which translations of a folder are older than their source, by the repository that has the folder. */
export class OlderTranslations implements OlderValues {
  readonly #git: Git;
  readonly #within: number;
  #known = new WeakMap<EntryHead, readonly OlderValue[]>();
  /** Of what is known: the commit and the definitions. */
  #of: readonly unknown[] = [];
  #history: { readonly commit: string; readonly history: History } | undefined;
  /** The commits with which it is not tried again. */
  readonly #tooLong = new Set<string>();
  #walks = 0;
  #turn: Promise<unknown> = Promise.resolve();
  state: OlderValues["state"] = "no-history";

  constructor(folder: string, within = WITHIN) {
    this.#git = new Git(folder);
    this.#within = within;
  }

  of(head: EntryHead): readonly OlderValue[] {
    return this.#known.get(head) ?? [];
  }

  /** Changes with what is known. */
  get mark(): string {
    return `${this.state} ${this.#of[0]} ${this.#walks}`;
  }

  /** Works out what is not known of these entries, by default of all. */
  fetch(draft: Draft, ids?: Iterable<string>): Promise<void> {
    const done = this.#turn.then(() => this.#fetch(draft, ids));
    this.#turn = done.catch(() => {});
    return done;
  }

  async #fetch(draft: Draft, ids: Iterable<string> | undefined): Promise<void> {
    const source = mainLanguage(draft.projects)[0];
    const localized = localizedModels(draft);
    const commit = localized.size > 0 && source !== undefined && (await this.#head());
    if (!commit) {
      this.state = "no-history";
      return;
    }
    const of = [commit, draft.models, draft.blocks, source];
    if (of.some((one, at) => one !== this.#of[at])) this.#known = new WeakMap();
    const wanted = new Map<string, EntryHead>();
    for (const id of ids ?? draft.entries.keys()) {
      const head = draft.entries.get(id);
      if (head && localized.has(head.modelId) && !this.#known.has(head)) wanted.set(id, head);
    }
    this.#of = of;
    const isTooLong = this.#tooLong.has(commit) || (!ids && this.#tooLong.has(`${commit} all`));
    this.state = isTooLong ? "too-long" : "known";
    if (wanted.size === 0 || isTooLong) return;
    try {
      const walk = new Walk(this.#git, draft, source, this.#within);
      const found = await walk.of(await this.#historyAt(commit), wanted);
      for (const head of wanted.values()) this.#known.set(head, found.get(head) ?? []);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== "git-failed") throw error;
      this.state = "too-long";
      // Of some entries it may still be found out.
      this.#tooLong.add(this.#history?.commit === commit ? `${commit} all` : commit);
    }
    // Not before: what is asked meanwhile is answered without what it finds.
    this.#walks += 1;
  }

  /** The last commit; undefined: there is no Git, no repository, or nothing in it. */
  async #head(): Promise<string | undefined> {
    try {
      const { status, out } = await this.#git.tryRead(["rev-parse", "--verify", "HEAD^{commit}"]);
      return status === 0 ? out.toString().trim() : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Kept for those who ask about another entry. */
  async #historyAt(commit: string): Promise<History> {
    if (this.#history?.commit !== commit) {
      this.#history = undefined;
      this.#history = { commit, history: await historyOf(this.#git, commit, PATHS) };
    }
    return this.#history.history;
  }
}

/** From the last commit back to those that gave translations their present values. */
class Walk {
  readonly #git: Git;
  readonly #draft: Draft;
  readonly #source: string;
  readonly #fields: ReadonlyMap<string, Parameters<typeof localizedValues>[0]>;
  readonly #blocks: Parameters<typeof localizedValues>[2];
  readonly #until: number;
  #slice = performance.now();

  constructor(git: Git, draft: Draft, source: string, within: number) {
    this.#git = git;
    this.#draft = draft;
    this.#source = source;
    this.#fields = new Map(draft.models.map(({ id, fields }) => [id, fields]));
    this.#blocks = new Map(draft.blocks.map((block) => [block.id, block]));
    this.#until = this.#slice + within;
  }

  /** @throws SvcError `git-failed` if it takes too long. */
  async of({ files, commits }: History, wanted: ReadonlyMap<string, EntryHead>) {
    const found = new Map<EntryHead, OlderValue[]>();
    const finish = ({ head, now, locale, before }: Reached) => {
      const { path, values } = now;
      if (isNone(before) || textOf(before) === textOf(values[this.#source])) return;
      found.set(head, [...(found.get(head) ?? []), { path, locale, before }]);
    };
    const own = filesOf(files, wanted);
    const names = new Set(own.map(({ file }) => file));
    const changed = changedIn(commits).filter(({ file }) => names.has(file));
    const blobs = new Blobs(this.#git, [...own, ...changed]);
    const reached = new Map<string, ReachedIn>();
    const first: ReachedIn = new Map();
    for (const file of own) {
      const all = this.#translationsIn(await this.#read(blobs, file), file, wanted);
      if (all.length > 0) first.set(file.file, all);
    }
    if (commits[0] !== undefined) reached.set(commits[0].commit, first);
    for (const { commit: at, parents } of commits) {
      let here: ReachedIn = reached.get(at) ?? new Map();
      reached.delete(at);
      for (const { commit: parent, changed } of parents) {
        // What is the same file in a parent goes on there as it is.
        const others: ReachedIn = new Map();
        for (const file of changed.keys()) {
          const one = here.get(file);
          if (one === undefined) continue;
          others.set(file, one);
          here.delete(file);
        }
        reached.set(parent, merged(reached.get(parent), here));
        here = others;
      }
      for (const [file, all] of here) {
        let left = all;
        for (const { commit: parent, changed } of parents) {
          const before = changed.get(file);
          if (before === undefined || left.length === 0) continue;
          const there = this.#versionOf(await this.#read(blobs, before), before);
          const same = left.filter(there.reach);
          left = left.filter((one) => !same.includes(one));
          if (same.length === 0) continue;
          reached.set(parent, merged(reached.get(parent), new Map([[before.file, same]])));
        }
        left.forEach(finish);
      }
    }
    return found;
  }

  async #read(blobs: Blobs, file: PastFile): Promise<string> {
    const text = (await blobs.read(file)).toString();
    const now = performance.now();
    if (now > this.#until) throw new SvcError("git-failed", "it took too long", { hint: "" });
    if (now - this.#slice < SLICE) return text;
    await nextTurn();
    this.#slice = performance.now();
    return text;
  }

  /** The translations in a file that are as the draft has them. */
  #translationsIn(text: string, file: PastFile, wanted: ReadonlyMap<string, EntryHead>): Reached[] {
    const there = this.#versionOf(text, file);
    const all: Reached[] = [];
    for (const id of there.ids) {
      const head = wanted.get(id);
      if (head === undefined) continue;
      for (const now of this.#valuesOf(head.modelId, this.#draft.dataOf(head))) {
        const source = ownMember(now.values, this.#source) ?? null;
        for (const [locale, value] of Object.entries(now.values)) {
          if (locale === this.#source || isNone(value) || isNone(source)) continue;
          all.push({ head, now, locale, before: source, path: now.path });
        }
      }
    }
    return all.filter(there.reach);
  }

  #valuesOf(modelId: JsonValue | undefined, data: JsonValue | undefined): LocalizedValue[] {
    const fields = this.#fields.get(String(modelId)) ?? [];
    return isJsonObject(data ?? null)
      ? localizedValues(fields, data as JsonObject, this.#blocks)
      : [];
  }

  /** A file as it was: `reach` says whether it has a translation as it is now, and takes its source of that time. */
  #versionOf(text: string, { file }: PastFile) {
    const records = new Map(recordsIn(text, file).map((one) => [String(one.id), one]));
    const values = new Map<string, LocalizedValue[]>();
    return {
      ids: records.keys(),
      reach: (one: Reached): boolean => {
        const { head, now, locale, before } = one;
        const record = records.get(head.id);
        if (record === undefined) return false;
        const all = values.get(head.id) ?? this.#valuesOf(head.modelId, record.data);
        values.set(head.id, all);
        const translated = textOf(now.values[locale]);
        const same = all.filter(
          ({ field, values: of }) =>
            field === now.field && textOf(ownMember(of, locale)) === translated,
        );
        const sourceOf = ({ values: of }: LocalizedValue) => ownMember(of, this.#source) ?? null;
        // A block may have been moved, and another one have the same translation.
        const found =
          same.find((of) => textOf(sourceOf(of)) === textOf(before)) ??
          same.find(({ path }) => path === one.path) ??
          same[0];
        if (found !== undefined) Object.assign(one, { before: sourceOf(found), path: found.path });
        return found !== undefined;
      },
    };
  }
}

/** The files that are named after the entries; all, unless each has one. */
function filesOf(files: History["files"], wanted: ReadonlyMap<string, unknown>): History["files"] {
  const own = files.filter(({ file }) => wanted.has(/([^/]*)\.jsonc?$/.exec(file)?.[1] ?? ""));
  return own.length >= wanted.size ? own : files;
}

/** What a version of a file has that can be read. */
function recordsIn(text: string, file: string): JsonObject[] {
  const texts = file.endsWith(".ndjson") ? text.split("\n") : [text];
  return texts.flatMap((one) => {
    const parsed = parseJsonText(one.replace(/^\ufeff/, ""), { isJsonc: file.endsWith(".jsonc") });
    const found = "value" in parsed ? [parsed.value].flat() : [];
    return found.filter((record) => isJsonObject(record));
  });
}

function merged(into: ReachedIn | undefined, more: ReachedIn): ReachedIn {
  if (into === undefined) return more;
  for (const [file, all] of more) into.set(file, [...(into.get(file) ?? []), ...all]);
  return into;
}

function changedIn(commits: History["commits"]): PastFile[] {
  return commits.flatMap(({ parents }) =>
    parents.flatMap(({ changed }) => [...changed.values()].flatMap((before) => before ?? [])),
  );
}

const isNone = (value: JsonValue | undefined) => value === undefined || value === null;

const textOf = (value: JsonValue | undefined) => canonicalJson(value ?? null);
