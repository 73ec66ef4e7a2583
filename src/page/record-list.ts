import { ByteHolder, type HeldBytes } from "../documents/held-bytes.ts";
import type { Rendering } from "../documents/rendering.ts";
import { type Draft, type EntryHead, withData } from "../workspace/draft.ts";
import { byCodeUnit, type JsonValue } from "../workspace/json.ts";
import type { DraftState } from "./draft-state.ts";
import { titleOf } from "./entry-summary.ts";
import { assetTitle } from "./file-view.ts";
import { eachText, folded } from "./search-text.ts";
import { projectName } from "./spoken.ts";

/** What is found beside entries, in the order in which it is listed. */
export const OTHER_KINDS = ["experience", "project", "asset", "model", "block", "feature"] as const;
type OtherKind = (typeof OTHER_KINDS)[number];

/** A record as it is listed, sorted and searched. */
export interface ListedRecord {
  readonly id: string;
  readonly title: string;
  /** The title, folded. */
  readonly name: string;
  /** What is looked for as the title is, folded: the id, and the name of a file. */
  readonly also: string;
  /** All texts, folded, one a line; undefined: they have not been read yet. */
  readonly text: HeldBytes | Buffer | undefined;
}

export interface ListedEntry extends ListedRecord {
  readonly head: EntryHead;
  text: HeldBytes | undefined;
  /** By title; -1: it is not in the list. */
  place: number;
}

export interface OtherRecord extends ListedRecord {
  readonly kind: OtherKind;
  /** Of an experience. */
  readonly project?: { readonly id: string; readonly name: string };
  readonly texts: readonly string[];
}

/** After how many entries the clock is read. */
const AT_ONCE = 100;

/**
 * H38: the entries of a draft with their titles, and with their texts outside of V8's heap. What is known of an
 * entry holds for all states of the draft that have it.
 */
export class RecordList {
  /** How many texts it has read by now, of all states. */
  reads = 0;
  /** Of how many entries of the draft it has the texts, as far as it has looked. */
  read = 0;
  #known = new WeakMap<EntryHead, ListedEntry>();
  #holder = new ByteHolder();
  #definitions = "";
  #asRead: readonly ListedEntry[] = [];
  #byTitle: readonly ListedEntry[] = [];
  /** Whether these lack some that are known, or may have some that are no more. */
  #isStale = false;
  #draft: Draft | undefined;
  /** Those whose texts may not have been read. */
  #left: Iterator<EntryHead> | undefined;

  /** Whether it has the texts of all entries of the draft as they are. */
  get isComplete(): boolean {
    return this.#draft !== undefined && this.#left === undefined;
  }

  /** Reads texts, for so many milliseconds at most; the next time it goes on. */
  readTexts(state: DraftState, within = Number.POSITIVE_INFINITY): void {
    this.#turnTo(state);
    const until = performance.now() + within;
    for (let count = 0; this.#left !== undefined; ) {
      const { value: head, done } = this.#left.next();
      if (done) {
        this.#left = undefined;
        break;
      }
      this.read += 1;
      if (this.#known.get(head)?.text === undefined) {
        this.#entry(state, head, true);
        count += 1;
        if (count % AT_ONCE === 0 && performance.now() > until) break;
      }
    }
  }

  /**
   * Those that are known, in the order in which texts are read fastest, and by title: `place` says where in it.
   *
   * @param isWhole whether all are listed, or at least those whose texts have been read
   */
  entries(state: DraftState, isWhole: boolean) {
    this.#turnTo(state);
    const { entries } = state.draft;
    const isThere = !isWhole || this.#asRead.length === entries.size;
    if (this.#isStale || !isThere) {
      this.#asRead = [...entries.values()].flatMap((head) => {
        return (isWhole ? this.#entry(state, head, false) : this.#known.get(head)) ?? [];
      });
      const kept = this.#byTitle.filter((one) => {
        if (entries.get(one.id) === one.head) return true;
        one.place = -1;
        return false;
      });
      const added = this.#asRead.filter(({ place }) => place < 0);
      // Two lists that are in order are merged: to sort 100,000 takes 500 ms.
      this.#byTitle = [...kept, ...added.sort(byName)].sort(byName);
      for (const [place, one] of this.#byTitle.entries()) one.place = place;
      this.#isStale = false;
    }
    return { asRead: this.#asRead, byTitle: this.#byTitle };
  }

  #entry({ draft, models, languages }: DraftState, head: EntryHead, withText: boolean) {
    const known = this.#known.get(head);
    if (known !== undefined && (!withText || known.text !== undefined)) return known;
    const entry = withData(draft, head);
    const title = titleOf(entry, models.get(entry.modelId), languages.titles());
    const { id } = head;
    const own = { id, also: folded(id), head, title, name: folded(title) };
    const listed = known ?? { ...own, text: undefined, place: -1 };
    this.#known.set(head, listed);
    this.#isStale ||= known === undefined;
    if (withText) {
      listed.text = this.#holder.addText(folded([id, ...textsOf(entry.data)].join("\n")));
      this.reads += 1;
    }
    return listed;
  }

  /** Forgets all if titles may be others. */
  #turnTo({ draft, languages }: DraftState): void {
    if (this.#draft === draft) return;
    this.#draft = draft;
    this.#isStale = true;
    this.#left = draft.entries.values();
    this.read = 0;
    const definitions = JSON.stringify([draft.models, languages.titles()]);
    if (definitions === this.#definitions) return;
    this.#definitions = definitions;
    this.#known = new WeakMap();
    this.#holder = new ByteHolder();
    this.#byTitle = [];
  }
}

function byName(a: ListedEntry, b: ListedEntry): number {
  return byCodeUnit(a.name, b.name) || byCodeUnit(a.id, b.id);
}

const others = new WeakMap<Rendering, readonly OtherRecord[]>();

/** The records beside entries; assets by title. */
export function otherRecords(state: DraftState): readonly OtherRecord[] {
  const all = others.get(state.rendering) ?? [...readOthers(state)];
  others.set(state.rendering, all);
  return all;
}

function* readOthers(state: DraftState): Generator<OtherRecord> {
  const { projects, draft } = state.rendering;
  const { assets, ...lists } = draft;
  for (const project of projects) {
    const { id, experiences, fields = {} } = project;
    const of = { project: { id, name: projectName(project, draft.workspace) } };
    yield other("project", id, of.project.name, fields);
    for (const one of experiences) {
      yield { ...other("experience", one.id, one.name, one.key), ...of };
    }
  }
  const files = Array.from(assets.values(), ({ id, title = "", description = "", fileName }) =>
    other("asset", id, assetTitle(state, id), { title, description, fileName }, fileName),
  );
  yield* files.sort((a, b) => byCodeUnit(a.name, b.name) || byCodeUnit(a.id, b.id));
  for (const kind of ["model", "block", "feature"] as const) {
    for (const { id, key, name } of lists[`${kind}s`]) yield other(kind, id, name, key);
  }
}

function other(
  kind: OtherKind,
  id: string,
  title: string,
  rest: JsonValue,
  fileName?: string,
): OtherRecord {
  const texts = [...textsOf(rest), id];
  const also = folded(fileName === undefined ? id : `${id} ${fileName}`);
  const text = Buffer.from(folded([title, ...texts].join("\n")));
  return { kind, id, title, name: folded(title), also, texts, text };
}

function textsOf(value: JsonValue): string[] {
  const texts: string[] = [];
  eachText(value, (text) => texts.push(text));
  return texts;
}
