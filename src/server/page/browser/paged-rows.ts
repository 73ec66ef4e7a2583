import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import type { Uses } from "../where-used.ts";
import { request } from "./access.ts";
import { type Answers, Shown } from "./answers.ts";
import type { Counts } from "./parts.tsx";
import { route, viewHref } from "./router.ts";

/** Rows in an answer of the server. */
const PAGE = 50;

type Paged = "table" | "checked-table" | "assets";
type Row<Name extends Paged> = Answers[Name]["rows"][number];
type Query = Readonly<Record<string, string>>;

/**
 * The rows of a long list that are in the window, with where they are used. They are asked again when
 * the draft or the query changes; the last ones are kept meanwhile.
 */
export function usePagedRows<Name extends Paged>(name: Name, query: Query) {
  const { workspaceId, revision } = useContext(Shown);
  const [[first, last], setWindow] = useState([0, 0]);
  const [pages, setPages] = useState<ReadonlyMap<number, { key: string; answer: Answers[Name] }>>(
    new Map(),
  );
  const [uses, setUses] = useState<Answers["uses"]>({});
  const [error, setError] = useState<Error>();
  const kind = name === "assets" ? "assets" : "entries";
  const key = JSON.stringify([workspaceId, revision, name, query]);
  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    const get = <N extends keyof Answers>(what: N, more: object) =>
      request<Answers[N]>(`data/${what}`, { workspace: workspaceId, ...more }, { signal });
    const load = async (page: number) => {
      const answer = await get(name, { ...query, offset: page * PAGE });
      setError(undefined);
      setPages((old) => new Map(old).set(page, { key, answer }));
      const ids = answer.rows.map(({ id }) => id).join();
      if (ids === "") return;
      const found = await get("uses", { kind, ids });
      setUses((old) => ({ ...old, ...found }));
    };
    for (let page = first; page <= last; page += 1) {
      if (pages.get(page)?.key === key) continue;
      load(page).catch((reason) => signal.aborted || setError(reason));
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
  const shown = [...pages.values()];
  const { answer } = shown.findLast((one) => one.key === key) ?? shown.at(-1) ?? {};
  return {
    answer,
    error,
    isCurrent: shown.some((one) => one.key === key),
    uses: (id: string): Uses | undefined => (Object.hasOwn(uses, id) ? uses[id] : undefined),
    at: (index: number): Row<Name> | undefined =>
      pages.get(Math.floor(index / PAGE))?.answer.rows[index % PAGE] as Row<Name> | undefined,
    /** The ids of the rows that are loaded around the window. */
    ids: shown.flatMap((one) => one.answer.rows.map(({ id }) => id)),
    onShown,
  };
}

/** What is chosen of a list, which its address keeps. */
export function useChosen(): [Query, (more: Query) => void] {
  const [chosen, setChosen] = useState<Query>(() => Object.fromEntries(route().query));
  const change = (more: Query) => {
    const all = Object.entries({ ...chosen, ...more });
    const next = Object.fromEntries(all.filter(([, value]) => value !== ""));
    setChosen(next);
    const [, ...place] = route().segments;
    // Without a navigation, which would move the focus.
    history.replaceState(history.state, "", viewHref(place, next));
  };
  return [chosen, change];
}

/**
 * The problems of entries, once the check knows them. The request is not ended with the view: it would
 * end the check.
 */
export function useProblemCounts(ids: readonly string[]): Readonly<Record<string, Counts>> {
  const { workspaceId, revision } = useContext(Shown);
  const [counts, setCounts] = useState<Readonly<Record<string, Counts>>>({});
  const asked = [...new Set(ids)].slice(-2 * PAGE).join();
  useEffect(() => {
    if (asked === "") return;
    let isShown = true;
    request<typeof counts>("data/entry-problem-counts", {
      workspace: workspaceId,
      ids: asked,
    }).then(
      (found) => isShown && setCounts((old) => ({ ...old, ...found })),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [workspaceId, revision, asked]);
  return counts;
}
