import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Overview } from "../project-view.ts";
import type { Answers } from "../queries.ts";
import { act, type Query, request } from "./access.ts";
import { shownWorkspace } from "./router.ts";

/** Of the shown workspace. @throws RequestError */
export function answerOf<Name extends keyof Answers>(
  name: Name,
  query: Query = {},
  signal?: AbortSignal,
): Promise<Answers[Name]> {
  return request(`data/${name}`, { workspace: shownWorkspace(), ...query }, signal);
}

/** What the page shows: the revision grows with each change of a draft. */
interface PageState {
  workspaceId: string;
  revision: number;
  /** Grows with those of the shown workspace alone, and not with what is published. */
  draft: number;
  source: Overview["source"];
  /** How many there are of the folder (H10a), or of the store. */
  faults: number;
  /** What the page may do (H41). */
  actions: readonly string[];
}

export const Shown = createContext({} as PageState);

/** After how long a search is repeated that has not seen all texts yet, in milliseconds. */
const AGAIN = 300;

/** H38: grows as long as an answer is that of a part. */
export function useUntilRead(answer: object | undefined): number {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (answer === undefined || !("read" in answer)) return;
    const timer = setTimeout(() => setTimes((count) => count + 1), AGAIN);
    return () => clearTimeout(timer);
  }, [answer]);
  return times;
}

interface Asked<T> {
  answer?: T;
  error?: Error;
}

/**
 * What an endpoint answers, for what is opened after the view was loaded. It is asked again when the
 * draft changes or the query does; the last answer is kept meanwhile.
 *
 * @param name undefined: nothing is asked
 */
export function useAnswer<Name extends keyof Answers>(name: Name | undefined, query: Query = {}) {
  return useAsked(name && JSON.stringify([name, query]), (signal) =>
    answerOf(name as Name, query, signal),
  );
}

/**
 * The same of an action that changes nothing.
 *
 * @param pause how long the body stays the same before it is asked, in milliseconds
 */
export function useActed<T extends object>(action: string | undefined, body: object, pause = 0) {
  return useAsked(action && JSON.stringify([action, body]), async (signal) => {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    signal.throwIfAborted();
    return act<T>(action as string, body);
  });
}

/** @param key of what is asked; undefined: nothing */
function useAsked<T extends object>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Asked<T> & { isOfQuery: boolean } {
  const { workspaceId, revision } = useContext(Shown);
  const of = key && `${workspaceId} ${key}`;
  const [state, setState] = useState<Asked<T> & { of?: string | undefined }>({});
  const again = useUntilRead(state.answer);
  useEffect(() => {
    if (of === undefined) return;
    const asking = new AbortController();
    const { signal } = asking;
    ask(signal).then(
      (answer) => signal.aborted || setState({ answer, of }),
      (error) => signal.aborted || setState((old) => ({ ...old, error })),
    );
    return () => asking.abort();
  }, [revision, of, again]);
  return { ...state, isOfQuery: state.of === of };
}
