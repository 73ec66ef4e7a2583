import type { DraftState } from "../../../src/page/draft-state.ts";
import { RecordList } from "../../../src/page/record-list.ts";
import { entryRows, type RowsQuery } from "../../../src/page/rows.ts";

/** A query that leaves nothing out. */
export const ALL: RowsQuery = {
  ...{
    q: "",
    models: [],
    block: "",
    only: "",
    missing: "",
    older: "",
    sort: "",
    offset: 0,
    most: 50,
  },
  translations: false,
};

/** The rows of a query, of entries that have all been read. @param ids of the only entries to list */
export function rowsOf(
  state: DraftState,
  query: Partial<RowsQuery>,
  list = new RecordList(),
  ids?: ReadonlySet<string>,
) {
  list.read(state);
  return entryRows(state, { ...ALL, ...query }, { list, ids });
}
