import { ByteHolder, type HeldBytes } from "../documents/held-bytes.ts";
import type { Rendering } from "../documents/rendering.ts";
import { type Draft, type EntryHead, withData } from "../workspace/draft.ts";
import { byCodeUnit, type JsonValue } from "../workspace/json.ts";
import type { DraftState } from "./draft-state.ts";
import { titleOf } from "./entry-summary.ts";
import { assetTitle } from "./file-view.ts";
import { eachText, spaced } from "./search-text.ts";
import { projectName } from "./spoken.ts";

/** What is found beside entries, in the order in which it is listed. */
export const OTHER_KINDS = ["experience", "project", "asset", "model", "block", "feature"] as const;
type OtherKind = (typeof OTHER_KINDS)[number];

/** A record as it is listed, sorted and searched. */
export interface ListedRecord {
  readonly id: string;
  readonly title: string;
  /** The title, as words are looked for. */
  readonly name: string;
  /** The same of the id, and the name of a file. */
  readonly also: string;
  /** The same of all texts, with a space before and behind; undefined: they have not been read. */
  readonly text: HeldBytes | Buffer | undefined;
}

export interface ListedEntry extends ListedRecord {
  readonly head: EntryHead;
  text: HeldBytes | undefined;
  /** By title; -1: it is not in the list. */
  place: number;
}

interface ListedEntries {
  /** In the order in which their texts are read fastest. */
  readonly asRead: readonly ListedEntry[];
  readonly byTitle: readonly ListedEntry[];
}

export interface OtherRecord extends ListedRecord {
  readonly kind: OtherKind;
  /** Of an experience. */
  readonly project?: { readonly id: string; readonly name: string };
  /** Of an experience: the ids of the entries of its steps. */
  readonly entries?: readonly string[];
  readonly texts: readonly string[];
}

/** After how many entries the clock is read. */
const AT_ONCE = 100;

/**
 * H38: the entries of a draft with their titles, and with their texts outside of V8's heap. What was read of an
 * entry holds for all states of the draft that have it.
 */
export class RecordList {
  /** How many entries it has read by now, of all states. */
  reads = 0;
  #known = new WeakMap<EntryHead, ListedEntry>();
  #holder = new ByteHolder();
  #draft: Draft | undefined;
  #languages = "";
  /** Those of the draft that may not have been read: with their texts, their titles alone. */
  #left: Readonly<Record<"texts" | "titles", Generator<void>>> | undefined;
  /** Undefined: what has been read since, or another draft, is not in it. */
  #listed: ListedEntries | undefined;
  #byTitle: readonly ListedEntry[] = [];

  /** Reads entries, for so many milliseconds at most; the next time it goes on. Returns whether it has all of them. */
  read(state: DraftState, within = Number.POSITIVE_INFINITY, what: "texts" | "titles" = "texts") {
    const left = this.#turnTo(state)[what];
    const until = performance.now() + within;
    for (let count = 1; left.next().done !== true; count += 1) {
      if (count % AT_ONCE === 0 && performance.now() > until) return false;
    }
    return true;
  }

  /** Those that have been read. */
  entries(state: DraftState): ListedEntries {
    this.#turnTo(state);
    if (this.#listed !== undefined) return this.#listed;
    const { entries } = state.draft;
    const asRead = [...entries.values()].flatMap((head) => this.#known.get(head) ?? []);
    const kept = this.#byTitle.filter((one) => {
      if (entries.get(one.id) === one.head) return true;
      one.place = -1;
      return false;
    });
    const added = asRead.filter(({ place }) => place < 0);
    // Two lists that are in order are merged: to sort 100,000 takes 500 ms.
    this.#byTitle = [...kept, ...added.sort(byName)].sort(byName);
    for (const [place, one] of this.#byTitle.entries()) one.place = place;
    this.#listed = { asRead, byTitle: this.#byTitle };
    return this.#listed;
  }

  /** The title of an entry as words are looked for; undefined: it has not been read. */
  nameOf(head: EntryHead | undefined): string | undefined {
    return head && this.#known.get(head)?.name;
  }

  /** A text takes twice as long as a title to read. */
  *#reading({ draft, models, languages }: DraftState, withTexts: boolean): Generator<void> {
    for (const head of draft.entries.values()) {
      const known = this.#known.get(head);
      if (known !== undefined && (!withTexts || known.text !== undefined)) continue;
      const { id, modelId, data } = withData(draft, head);
      const title = () => titleOf({ id, modelId, data }, models.get(modelId), languages.titles());
      const own = known ?? listed(head, title());
      if (withTexts) {
        own.text = this.#holder.addText(` ${spaced([id, ...textsOf(data)].join("\n"))} `);
      }
      if (known === undefined) this.#listed = undefined;
      this.#known.set(head, own);
      this.reads += 1;
      yield;
    }
  }

  /** Forgets all if titles may be others. */
  #turnTo(state: DraftState) {
    const { draft, languages } = state;
    if (this.#left !== undefined && this.#draft === draft) return this.#left;
    const named = JSON.stringify(languages.titles());
    if (this.#draft?.models !== draft.models || this.#languages !== named) {
      this.#known = new WeakMap();
      this.#holder = new ByteHolder();
      this.#byTitle = [];
    }
    this.#draft = draft;
    this.#languages = named;
    this.#listed = undefined;
    this.#left = { texts: this.#reading(state, true), titles: this.#reading(state, false) };
    return this.#left;
  }
}

function listed(head: EntryHead, title: string): ListedEntry {
  const { id } = head;
  return { id, also: spaced(id), head, title, name: spaced(title), text: undefined, place: -1 };
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
    const { id, steps, experiences, fields = {} } = project;
    const of = { project: { id, name: projectName(project, draft.workspace) } };
    yield other("project", id, of.project.name, fields);
    const contents = new Map(steps.map((step) => [step.id, step.layoutContentId]));
    for (const one of experiences) {
      const entries = one.stepIds.flatMap((step) => contents.get(step) ?? []);
      yield { ...other("experience", one.id, one.name, one.key), ...of, entries };
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
  const also = spaced(fileName === undefined ? id : `${id} ${fileName}`);
  const text = Buffer.from(` ${spaced([title, ...texts].join("\n"))} `);
  return { kind, id, title, name: spaced(title), also, texts, text };
}

function textsOf(value: JsonValue): string[] {
  const texts: string[] = [];
  eachText(value, (text) => texts.push(text));
  return texts;
}
