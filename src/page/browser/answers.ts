import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { JsonValue } from "../../workspace/json.ts";
import type { AssetList, AssetView } from "../asset-views.ts";
import type { Changes, CompleteChanges, EntryChanges, ExperienceChanges } from "../changes.ts";
import type { DefinitionsView } from "../definitions-view.ts";
import type { Standing } from "../draft-data.ts";
import type { EntryTable } from "../entry-table.ts";
import type { EntryView } from "../entry-view.ts";
import type { ExperienceView } from "../experience-view.ts";
import type { HistoryView } from "../history-view.ts";
import type { DocumentLine } from "../page-data.ts";
import type { Counts } from "../problem-counts.ts";
import type { LinkedPlace, ProblemGroup } from "../problem-list.ts";
import type { Overview, ProjectView } from "../project-view.ts";
import type { SearchResult } from "../search.ts";
import type { SiteState } from "../site-probe.ts";
import type { SiteView } from "../site-view.ts";
import type { Uses, WhereUsed } from "../where-used.ts";
import { request } from "./access.ts";

/** What the endpoints below `/_svc/data/` answer about a workspace. */
export interface Answers {
  "problem-list": { groups: ProblemGroup[] };
  "file-place": { place?: LinkedPlace };
  changes: CompleteChanges;
  "entry-changes": EntryChanges;
  "experience-changes": ExperienceChanges;
  "version-changes": Changes;
  history: HistoryView;
  entries: SearchResult;
  entry: EntryView;
  table: EntryTable;
  "checked-table": EntryTable;
  "entry-problem-counts": Readonly<Record<string, Counts>>;
  uses: Readonly<Record<string, Uses>>;
  "where-used": WhereUsed;
  assets: AssetList;
  asset: AssetView;
  definitions: DefinitionsView;
  project: ProjectView;
  experience: ExperienceView;
  content: { entries: EntryView[] };
  documents: { documents: DocumentLine[] };
  document: JsonValue;
  site: SiteView;
  "site-state": { state: SiteState };
  standing: Standing;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** @throws RequestError */
export function answerOf<Name extends keyof Answers>(
  name: Name,
  query: Query,
  signal?: AbortSignal,
): Promise<Answers[Name]> {
  return request(`data/${name}`, query, signal);
}

/** What the page shows: the revision grows with each change of a draft. */
interface PageState {
  workspaceId: string;
  revision: number;
  /** Grows with those of the shown workspace alone, and not with what is published. */
  draft: number;
  source: Overview["source"];
  /** What the page may do (H41). */
  actions: readonly string[];
}

export const Shown = createContext<PageState>({
  workspaceId: "",
  revision: 0,
  draft: 0,
  source: "folder",
  actions: [],
});

interface Asked<Name extends keyof Answers> {
  answer?: Answers[Name];
  error?: Error;
}

/**
 * What an endpoint answers, for what is opened after the view was loaded. It is asked again when the
 * draft changes or the query does; the last answer is kept meanwhile.
 *
 * @param name undefined: nothing is asked
 */
export function useAnswer<Name extends keyof Answers>(
  name: Name | undefined,
  query: Query = {},
): Asked<Name> & { isOfQuery: boolean } {
  const { workspaceId, revision } = useContext(Shown);
  const key = JSON.stringify(query);
  const [state, setState] = useState<Asked<Name> & { of?: string }>({});
  useEffect(() => {
    if (name === undefined) return;
    const asking = new AbortController();
    const { signal } = asking;
    answerOf(name, { workspace: workspaceId, ...query }, signal).then(
      (answer) => setState({ answer, of: key }),
      (error) => signal.aborted || setState((old) => ({ ...old, error })),
    );
    return () => asking.abort();
  }, [name, workspaceId, revision, key]);
  return { ...state, isOfQuery: state.of === key };
}
