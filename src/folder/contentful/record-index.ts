import type { Notes } from "../formats/notes.ts";
import type { Sys } from "./export-file.ts";
import { draftReason, isArchived, isChanged } from "./filter-records.ts";
import { IdIndex } from "./id-index.ts";

/** The entries or the assets of an export by number, and what else links name. */
export class RecordIndex extends IdIndex {
  /** The place of each record among those of the files; undefined: only a target. */
  readonly places: (number | undefined)[] = [];
  /** Why a record is left out; undefined: it is imported. */
  readonly reasons: (string | undefined)[] = [];
  /** The records with edits since they were published. */
  readonly changed = new Set<number>();
  /** Those that are imported and not published. */
  readonly drafts = new Set<number>();
  hasTwice = false;
  /** How many of the ids are those of records. */
  count = 0;
  readonly #kind: "entry" | "asset";
  readonly #notes: Notes;
  readonly #known: RecordIndex | undefined;

  /** @param known an earlier index, if records are there twice: only the last of each counts. */
  constructor(kind: "entry" | "asset", notes: Notes, known?: RecordIndex) {
    super();
    this.#kind = kind;
    this.#notes = notes;
    this.#known = known;
  }

  isImported(number: number): boolean {
    return this.places[number] !== undefined && this.reasons[number] === undefined;
  }

  get importedCount(): number {
    return this.ids.filter((_, number) => this.isImported(number)).length;
  }

  /** Adds the next record. Returns its number if it is to be imported. */
  add(
    { sys }: { readonly sys: Sys },
    place: number,
    options: {
      readonly drafts: boolean;
      readonly codes: readonly string[];
      /** Whether one that is not published is imported. */
      readonly mayBeDraft: (number: number) => boolean;
    },
  ): number | undefined {
    const number = this.numberOf(sys.id);
    if (this.places[number] === undefined) this.count += 1;
    else {
      this.hasTwice = true;
      this.#notes.warn(`the export has the ${this.#kind} "${sys.id}" twice: the last one is used`);
    }
    this.places[number] = place;
    if (this.#known !== undefined && this.#known.placeOf(sys.id) !== place) return undefined;
    if (isArchived(sys)) return this.leaveOut(number, "that are archived");
    if (options.drafts) return number;
    const reason = draftReason(sys, options.codes);
    if (reason !== undefined && !options.mayBeDraft(number)) {
      return this.leaveOut(number, `that are ${reason}`);
    }
    if (reason !== undefined) this.drafts.add(number);
    else if (isChanged(sys)) this.changed.add(number);
    return number;
  }

  leaveOut(number: number, reason: string): undefined {
    this.reasons[number] = reason;
    this.#notes.leaveOut(`${this.#kind === "entry" ? "entries" : "assets"} ${reason}`);
  }

  placeOf(id: string): number | undefined {
    const number = this.find(id);
    return number === undefined ? undefined : this.places[number];
  }
}
