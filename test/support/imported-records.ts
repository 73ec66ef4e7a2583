import { entriesInOrder } from "../../src/workspace/draft.ts";
import type { TestBed } from "./test-bed.ts";

/** A record without types: walks compare it with an export. */
// biome-ignore lint/suspicious/noExplicitAny: walks read records of any model
type Loose = Record<string, any>;

/** What an import has made: the records of the draft by id, and the code of the problem at each place. */
export function importedRecords(bed: TestBed) {
  const problems = new Map(bed.check().map(({ at, code }) => [`${at.id} ${at.path}`, code]));
  return bed.store.read(() => {
    const draft = bed.store.draft(bed.store.workspace(undefined));
    const byId = (records: Iterable<Loose>) =>
      new Map([...records].map((record) => [record.id as string, record]));
    const entries = byId(entriesInOrder(draft));
    return { entries, models: byId(draft.models), blocks: byId(draft.blocks), problems };
  });
}

/** How many parts of the records have each fate. */
export function countedFates<T>(
  records: Iterable<T>,
  fatesOf: (record: T) => Iterable<string>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const record of records) {
    for (const fate of fatesOf(record)) counts[fate] = (counts[fate] ?? 0) + 1;
  }
  return counts;
}
