import { type ComponentChildren, createContext, h } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { ComparedBase } from "../changes.ts";
import type { Answers } from "../queries.ts";
import { answerOf, Shown, useAnswer } from "./answers.ts";
import { ComparedValues } from "./compared-values.tsx";
import { Awaited, ChangeTag, Fold } from "./parts.tsx";
import { number, since } from "./words.ts";

/** How long the view itself comes first, and how many times the duration of the last answer, to spare the server. */
const [DELAY, FACTOR] = [200, 3];

const Standing = createContext<Partial<Answers["standing"]>>({});

/** The problems of the complete draft, and how it differs from what is published (H32). */
export const useStanding = () => useContext(Standing);

/** Asks how the draft stands once for each revision, for all who show it. */
export function WithStanding({
  isLost,
  children,
}: {
  isLost: boolean;
  children: ComponentChildren;
}) {
  const { workspaceId: workspace, revision } = useContext(Shown);
  const [last, setLast] = useState<{ workspace: string; answer: Answers["standing"] }>();
  const duration = useRef(0);
  useEffect(() => {
    if (revision === 0 || isLost) return;
    let isCurrent = true;
    const ask = async () => {
      const started = performance.now();
      // Not ended with the view: how long it took says when to ask again.
      const answer = await answerOf("standing").catch(() => undefined);
      duration.current = performance.now() - started;
      if (isCurrent && answer) setLast({ workspace, answer });
    };
    const timer = setTimeout(ask, Math.max(DELAY, FACTOR * duration.current));
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [workspace, revision, isLost]);
  const value = last?.workspace === workspace ? last.answer : {};
  return h(Standing.Provider, { value, children });
}

/** "since 22 November"; empty when that is not known. */
export function sinceText({ at }: ComparedBase) {
  return at === null ? "" : `since ${since(at)}`;
}

function useChangeOf(id: string) {
  const { base, entries = {} } = useStanding().changed ?? {};
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
  return changed ? <ChangeTag change={changed.change} /> : null;
}

/** How many entries differ from what is published; nothing before the first publish. */
export function ChangedCount() {
  const { base, counts } = useStanding().changed ?? {};
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
