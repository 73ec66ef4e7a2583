import { useAnswer } from "./answers.ts";
import { hitHref, hitText, KIND_NAMES, type Match, matchHref, type OtherHits } from "./found.tsx";
import { usePagedRows } from "./list-tools.tsx";
import { EmptyState, Fold, Group, ModelTag, PublishingTag, RowLink, ViewHead } from "./parts.tsx";
import { WindowedList } from "./windowed-list.tsx";
import { counted, number } from "./words.ts";

/** The entries that match a query, below what else does. */
export function EntriesView({ query }: { query: string }) {
  const { answer, error, at, onShown } = usePagedRows("entries", { q: query });
  const { others = [] } = useAnswer("others", { q: query }).answer ?? {};
  const total = answer?.total ?? 0;
  return (
    <article>
      <ViewHead
        title="Found"
        below={
          answer === undefined ? (
            (error?.message ?? "Searching…")
          ) : (
            <>
              {counted(total, "entry", "entries")} with <strong>{query}</strong>
            </>
          )
        }
      />
      {answer && total + others.length === 0 && (
        <EmptyState title="Nothing found">
          <p>Every word must be in the title, in one of the texts, or in the id.</p>
        </EmptyState>
      )}
      {others.map(otherGroup)}
      {others.length > 0 && total > 0 && <h2>Entries</h2>}
      <WindowedList
        label={`Entries with ${query}`}
        items={{ length: total, at }}
        row={entryRow}
        onShown={onShown}
      />
    </article>
  );
}

/** How many other records of a kind are shown at first. */
const SHOWN = 3;

function otherGroup({ kind, total, hits }: OtherHits) {
  const rows = hits.map((hit) => (
    <RowLink key={hit.id} href={hitHref(kind, hit)} {...hitText(hit, hit.project?.name)} />
  ));
  const rest = rows.slice(SHOWN);
  return (
    <Group key={kind} name={kind} title={KIND_NAMES[kind]} beside={number(total)}>
      {rows.slice(0, SHOWN)}
      {rest.length > 0 && <Fold summary={`${number(rest.length)} more`}>{() => rest}</Fold>}
    </Group>
  );
}

function entryRow(entry: Match | undefined) {
  if (entry === undefined) return <div class="row is-waiting">…</div>;
  return (
    <RowLink
      href={matchHref(entry)}
      {...hitText(entry, <code>{entry.id}</code>)}
      beside={
        <>
          <PublishingTag of={entry} />
          <ModelTag modelName={entry.modelName} />
        </>
      }
    />
  );
}
