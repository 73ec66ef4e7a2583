import { useAnswer } from "./answers.ts";
import { ComparedValues } from "./compared-values.tsx";
import { Awaited, Fold } from "./parts.tsx";
import { sinceText, useChanged } from "./standing.ts";
import { number } from "./words.ts";

function useChangeOf(id: string) {
  const { base, entries = {} } = useChanged() ?? {};
  return { base, changed: Object.hasOwn(entries, id) ? entries[id] : undefined };
}

/** H32: which fields of an entry differ from what is published, and on demand how. */
export function ChangedSince({ id }: { id: string }) {
  const { base, changed } = useChangeOf(id);
  if (base === undefined || changed === undefined) return null;
  if (changed.change === "added") {
    return (
      <p class="changed-since">
        <ChangedTag id={id} /> Not published yet.
      </p>
    );
  }
  const fields = changed.fields.length > 0 ? `: ${changed.fields.join(", ")}` : "";
  return (
    <div class="changed-since">
      <Fold
        summary={
          <>
            Changed {sinceText(base)}
            <span dir="auto">{fields}</span>
          </>
        }
      >
        {() => <EntryComparison id={id} />}
      </Fold>
    </div>
  );
}

/** "new" or "changed" of an entry that differs from what is published; nothing of any other. */
export function ChangedTag({ id }: { id: string }) {
  const { changed } = useChangeOf(id);
  if (changed === undefined) return null;
  const isNew = changed.change === "added";
  return <span class={`tag is-${changed.change}`}>{isNew ? "new" : "changed"}</span>;
}

/** How many entries differ from what is published; nothing before the first publish. */
export function ChangedCount() {
  const { base, counts } = useChanged() ?? {};
  if (base === undefined || counts === undefined || base.versionId === null) return null;
  const count = counts.changed + counts.added + counts.removed;
  return count === 0 ? null : <span class="count is-changed">{number(count)}</span>;
}

function EntryComparison({ id }: { id: string }) {
  const { answer, error } = useAnswer("entry-changes", { id });
  if (answer === undefined) return <Awaited error={error} text="Comparing…" />;
  const { entries } = answer;
  return (
    <>
      {entries.length === 0 && <p class="soft">It is the same again.</p>}
      {entries.map(({ projects, values }, at) => (
        <section key={at}>
          {entries.length > 1 && <h3 dir="auto">{projects.join(", ")}</h3>}
          <ComparedValues values={values} />
        </section>
      ))}
    </>
  );
}
