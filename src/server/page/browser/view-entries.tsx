import { useCallback, useState } from "preact/hooks";
import type { RecordHits } from "../record-hits.ts";
import type { Match } from "../search.ts";
import { Found, hitHref, KIND_NAMES, Marked, matchHref } from "./found.tsx";
import { EmptyState, Fold, Group, HiddenTag, ModelTag, RowLink, ViewHead } from "./parts.tsx";
import { WindowedList } from "./windowed-list.tsx";
import { counted, number } from "./words.ts";

/** The entries that match a query, below what else does. Only those in the window are loaded. */
export function EntriesView({
  query,
  total,
  others,
  at,
  need,
}: {
  query: string;
  total: number;
  others: readonly RecordHits[];
  at: (index: number) => Match | undefined;
  /** Resolves to whether more is known. */
  need: (first: number, last: number) => Promise<boolean>;
}) {
  const [, setLoaded] = useState(0);
  const onShown = useCallback(
    async (first: number, last: number) => {
      if (await need(first, last)) setLoaded((times) => times + 1);
    },
    [need],
  );
  const found = counted(total, "entry", "entries");
  return (
    <article>
      <ViewHead
        title="Found"
        below={
          <>
            {found} with <strong>{query}</strong>
          </>
        }
      />
      {total === 0 && others.length === 0 && (
        <EmptyState title="Nothing found">
          <p>Every word must be in the title, in one of the texts, or in the id.</p>
        </EmptyState>
      )}
      {others.map((group) => (
        <Others key={group.kind} group={group} />
      ))}
      {others.length > 0 && total > 0 && <h2>Entries</h2>}
      <WindowedList
        label={`Entries with ${query}`}
        items={{ length: total, at }}
        row={(entry) => <EntryRow entry={entry} />}
        onShown={onShown}
      />
    </article>
  );
}

/** How many other records of a kind are shown at first. */
const SHOWN = 3;

function Others({ group: { kind, total, hits } }: { group: RecordHits }) {
  const rows = hits.map((hit) => (
    <RowLink
      key={hit.id}
      href={hitHref(kind, hit)}
      title={<Marked text={hit.title} marks={hit.titleMarks} />}
      below={hit.found ? <Found hit={hit} /> : hit.project?.name}
    />
  ));
  const rest = rows.slice(SHOWN);
  return (
    <Group name={kind} title={KIND_NAMES[kind]} beside={number(total)}>
      {rows.slice(0, SHOWN)}
      {rest.length > 0 && <Fold summary={`${number(rest.length)} more`}>{() => rest}</Fold>}
    </Group>
  );
}

function EntryRow({ entry }: { entry: Match | undefined }) {
  if (entry === undefined) return <div class="row is-waiting">…</div>;
  return (
    <RowLink
      href={matchHref(entry)}
      title={<Marked text={entry.title} marks={entry.titleMarks} />}
      below={entry.found ? <Found hit={entry} /> : <code>{entry.id}</code>}
      beside={
        <>
          <HiddenTag hidden={entry.hidden} />
          <ModelTag modelName={entry.modelName} />
        </>
      }
    />
  );
}
