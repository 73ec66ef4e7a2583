import type { Address } from "../../documents/address.ts";
import { PREVIEW } from "../../documents/document.ts";
import { renderDocument } from "../../documents/documents.ts";
import type { Problem } from "../../workspace/problem.ts";
import { describedProblem } from "../../workspace/problem-messages.ts";
import { changes, experienceChanges } from "./changes.ts";
import { documentLines } from "./document-lines.ts";
import type { DraftState } from "./draft-state.ts";
import { entryView } from "./entry-view.ts";
import { contentEntryViews, experienceView } from "./experience-view.ts";
import type { ViewContext } from "./field-views.ts";
import type { PageStore, SnapshotSource } from "./page-store.ts";
import { projectView } from "./project-view.ts";
import { search } from "./search.ts";

/** The parameters of a query and the data to answer it from. */
interface QueryContext {
  readonly state: DraftState;
  readonly query: URLSearchParams;
  readonly store: PageStore;
  readonly snapshots: SnapshotSource;
  readonly htmlUrl: ViewContext["htmlUrl"];
}

/**
 * Answers one of the page's queries with a value to be sent as JSON, or with the bytes of a JSON
 * document; undefined when the query or its subject does not exist.
 */
export function answerQuery(
  name: string,
  { state, query, store, snapshots, htmlUrl }: QueryContext,
): object | Buffer | undefined {
  const parameter = (key: string) => query.get(key) ?? "";
  const [projectId, experienceId] = [parameter("project"), parameter("experience")];
  switch (name) {
    case "project":
      return projectView(state, projectId, htmlUrl);
    case "experience":
      return experienceView(state, projectId, experienceId);
    case "content": {
      const most = Number(parameter("most")) || 0;
      return { entries: contentEntryViews(state, projectId, experienceId, most, htmlUrl) };
    }
    case "entry":
      return entryView(state, parameter("id"), htmlUrl);
    case "entries":
      return search(state, parameter("q"), Math.max(0, Number(parameter("offset")) || 0));
    case "problems":
      return { problems: state.problems.map(describedProblem) };
    case "problem-counts":
      return problemCounts(state.problems);
    case "changes":
      return changes(state, store, snapshots);
    case "experience-changes": {
      const address = { kind: "content", projectId, experienceId } as const;
      return experienceChanges(state, address, store, snapshots);
    }
    case "documents":
      return { documents: documentLines(state, projectId, experienceId) };
    case "document": {
      const kind = parameter("kind") as Address["kind"];
      const address = { kind, projectId, experienceId };
      return renderDocument(state.rendering, address, PREVIEW)?.bytes;
    }
    default:
      return undefined;
  }
}

function problemCounts(problems: readonly Problem[]): { errors: number; warnings: number } {
  const errors = problems.filter(({ level }) => level === "error").length;
  return { errors, warnings: problems.length - errors };
}
