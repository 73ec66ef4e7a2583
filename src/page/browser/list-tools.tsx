import type { ComponentChildren } from "preact";
import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import type { Answers } from "../queries.ts";
import { answerOf, Shown, useUntilRead } from "./answers.ts";
import { Button, EmptyState } from "./parts.tsx";
import { route, viewHref } from "./router.ts";
import { counted } from "./words.ts";

/** What is chosen of a list, by its address. */
export type Chosen = Readonly<Record<string, string>>;

/** What is above a list: a filter and chips, other tools, and how many there are. */
export function ListTools({
  noun,
  filtered,
  states,
  chosen: { filter = "", only = "" },
  change,
  rows,
  waiting = "Reading…",
  isAll,
  children,
}: {
  noun: readonly [one: string, many: string];
  /** By what: "title or id". */
  filtered: string;
  states: Readonly<Record<string, string>>;
  chosen: Chosen;
  change: (more: Chosen) => void;
  rows: PagedRows;
  /** What is said in place of the count. */
  waiting?: string | undefined;
  /** Whether nothing else is chosen that leaves some out. */
  isAll: boolean;
  children?: ComponentChildren;
}) {
  const { error, isCurrent, answer } = rows;
  return (
    <>
      <div class="table-tools">
        <input
          type="search"
          placeholder={`Filter by ${filtered}`}
          aria-label={`Filter by ${filtered}`}
          value={filter}
          onInput={({ currentTarget }) => change({ filter: currentTarget.value })}
        />
        <div class="chips">
          {Object.entries(states).map(([key, name]) => (
            <Button
              key={key}
              class="chip"
              aria-pressed={key === only}
              onClick={() => change({ only: key })}
            >
              {name}
            </Button>
          ))}
        </div>
        {children}
      </div>
      <p class="soft table-count" role="status">
        {error?.message ?? (answer ? counted(answer.total, ...noun) : waiting)}
      </p>
      {answer?.total === 0 && isCurrent && (
        <EmptyState
          title={
            filter + only === "" && isAll ? `There are no ${noun[1]} yet` : `No such ${noun[1]}`
          }
        />
      )}
    </>
  );
}

export function Choice({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly (readonly [key: string, name: string, ...unknown[]])[];
  onChoose: (value: string) => void;
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map(([key, name]) => (
        <option key={key} value={key} dir="auto">
          {name}
        </option>
      ))}
    </select>
  );
}

/** Rows in an answer of the server. */
const PAGE = 50;

type Paged = "assets" | "entries";
type Row<Name extends Paged> = Answers[Name]["rows"][number];
export type PagedRows = ReturnType<typeof usePagedRows<Paged>>;

/**
 * The rows of a long list that are in the window. They are asked again when the draft or the query
 * changes; the last ones are kept meanwhile.
 */
export function usePagedRows<Name extends Paged>(name: Name, query: Chosen) {
  const { workspaceId: workspace, revision } = useContext(Shown);
  const [[first, last], setWindow] = useState([0, 0]);
  const [pages, setPages] = useState<ReadonlyMap<number, { key: string; answer: Answers[Name] }>>(
    new Map(),
  );
  const [error, setError] = useState<Error>();
  const shown = [...pages.values()];
  const again = useUntilRead(shown.at(-1)?.answer);
  const key = JSON.stringify([workspace, revision, name, query, again]);
  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    for (let page = first; page <= last; page += 1) {
      if (pages.get(page)?.key === key) continue;
      answerOf(name, { ...query, most: PAGE, offset: page * PAGE }, signal).then(
        (answer) => {
          setError(undefined);
          setPages((old) => new Map(old).set(page, { key, answer }));
        },
        (reason) => signal.aborted || setError(reason),
      );
    }
    return () => asking.abort();
  }, [key, first, last]);
  const onShown = useCallback((from: number, to: number) => {
    const range: [number, number] = [
      Math.floor(from / PAGE),
      Math.floor(Math.max(from, to - 1) / PAGE),
    ];
    setWindow((old) => (old[0] === range[0] && old[1] === range[1] ? old : range));
  }, []);
  const { answer } = shown.findLast((one) => one.key === key) ?? shown.at(-1) ?? {};
  return {
    answer,
    error,
    isCurrent: shown.some((one) => one.key === key),
    at: (index: number): Row<Name> | undefined =>
      pages.get(Math.floor(index / PAGE))?.answer.rows[index % PAGE] as Row<Name> | undefined,
    /** The ids of the rows around the window. */
    ids: Array.from({ length: last - first + 1 }, (_, n) => pages.get(first + n)).flatMap(
      (page) => page?.answer.rows.map(({ id }) => id) ?? [],
    ),
    onShown,
  };
}

/** What is chosen of a list, which its address keeps. */
export function useChosen(): [Chosen, (more: Chosen) => void] {
  const [chosen, setChosen] = useState<Chosen>(() => Object.fromEntries(route().query));
  const change = (more: Chosen) => {
    const all = Object.entries({ ...chosen, ...more });
    const next = Object.fromEntries(all.filter(([, value]) => value !== ""));
    setChosen(next);
    const [, ...place] = route().segments;
    // Without a navigation, which would move the focus.
    history.replaceState(history.state, "", viewHref(place, next));
  };
  return [chosen, change];
}

/** What is known of records by their ids, as it is answered. */
export function useKnown<Name extends "uses" | "entry-problem-counts">(
  name: Name,
  ids: readonly string[],
  kind = "entries",
): (id: string) => Answers[Name][string] | undefined {
  const { workspaceId: workspace, revision } = useContext(Shown);
  const [known, setKnown] = useState<ReadonlyMap<string, Answers[Name][string]>>(new Map());
  useEffect(() => {
    const shown = new AbortController();
    // An address has room for so many.
    for (let at = 0; at < ids.length; at += PAGE) {
      answerOf(name, { kind, ids: ids.slice(at, at + PAGE).join() }, shown.signal).then(
        (found) => setKnown((old) => new Map([...old, ...Object.entries(found)])),
        () => undefined,
      );
    }
    return () => shown.abort();
  }, [workspace, revision, ids.join()]);
  return (id) => known.get(id);
}
