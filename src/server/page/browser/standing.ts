import { useContext, useEffect, useState } from "preact/hooks";
import type { ChangedEntries, ComparedBase } from "../changes.ts";
import type { Standing } from "../draft-data.ts";
import { request } from "./access.ts";
import { Shown } from "./answers.ts";
import { since } from "./words.ts";

/** How long the view itself comes first, and how many times the duration of the last answer, to spare the server. */
const [DELAY, FACTOR] = [200, 3];

let known: { workspace: string; answer: Standing } | undefined;
let asked = "";
let duration = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** The problems and changes of the complete draft, asked once for each revision by all who show them. */
export function useStanding(): Partial<Standing> {
  const { workspaceId, revision } = useContext(Shown);
  const [, redraw] = useState({});
  useEffect(() => {
    const listener = () => redraw({});
    listeners.add(listener);
    if (revision > 0) ask(workspaceId, revision);
    return () => void listeners.delete(listener);
  }, [workspaceId, revision]);
  return known?.workspace === workspaceId ? known.answer : {};
}

/** H32: what differs from what is published. */
export function useChanged(): ChangedEntries | undefined {
  return useStanding().changed;
}

function ask(workspace: string, revision: number) {
  const key = `${revision} ${workspace}`;
  if (key === asked) return;
  asked = key;
  clearTimeout(timer);
  timer = setTimeout(
    async () => {
      const started = performance.now();
      const answer = await request<Standing>("data/standing", { workspace }).catch(() => null);
      duration = performance.now() - started;
      if (asked !== key) return;
      if (answer === null) asked = "";
      else known = { workspace, answer };
      for (const listener of [...listeners]) listener();
    },
    Math.max(DELAY, FACTOR * duration),
  );
}

/** "since 22 November"; empty when that is not known. */
export function sinceText({ at }: ComparedBase) {
  return at === null ? "" : `since ${since(at)}`;
}
