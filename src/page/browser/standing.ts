import { type ComponentChildren, createContext, h } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { ChangedEntries, ComparedBase } from "../changes.ts";
import type { Answers } from "../queries.ts";
import { answerOf, Shown } from "./answers.ts";
import { since } from "./words.ts";

/** How long the view itself comes first, and how many times the duration of the last answer, to spare the server. */
const [DELAY, FACTOR] = [200, 3];

const Standing = createContext<Partial<Answers["standing"]>>({});

/** The problems and changes of the complete draft. */
export const useStanding = () => useContext(Standing);

/** H32: what differs from what is published. */
export const useChanged = (): ChangedEntries | undefined => useStanding().changed;

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
      const answer = await answerOf("standing", { workspace }).catch(() => undefined);
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
