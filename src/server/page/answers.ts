import type { Address } from "../../documents/address.ts";
import { PREVIEW } from "../../documents/document.ts";
import { renderDocument } from "../../documents/documents.ts";
import type { Problem } from "../../workspace/problem.ts";
import { changes, experienceChanges } from "./changes.ts";
import { documentLines } from "./documents.ts";
import type { DraftState } from "./draft-state.ts";
import { entryView } from "./entry-view.ts";
import { contentEntries, experienceView } from "./experience-view.ts";
import type { ViewContext } from "./field-views.ts";
import type { PageStore, Sides } from "./page-store.ts";
import { projectView } from "./project-view.ts";
import { search } from "./search.ts";

/** What answers are made from. */
export interface Source {
  readonly state: DraftState;
  readonly query: URLSearchParams;
  readonly store: PageStore;
  readonly sides: Sides;
  readonly htmlUrl: ViewContext["htmlUrl"];
}

/**
 * What the page asks for by this name, as a value or as the JSON of a document; undefined when
 * there is no such thing.
 */
export function answerFor(
  name: string,
  { state, query, store, sides, htmlUrl }: Source,
): object | Buffer | undefined {
  const of = (parameter: string) => query.get(parameter) ?? "";
  const [projectId, experienceId] = [of("project"), of("experience")];
  switch (name) {
    case "project":
      return projectView(state, projectId, htmlUrl);
    case "experience":
      return experienceView(state, projectId, experienceId);
    case "content": {
      const most = Number(of("most")) || 0;
      return { entries: contentEntries(state, projectId, experienceId, most, htmlUrl) };
    }
    case "entry":
      return entryView(state, of("id"), htmlUrl);
    case "entries":
      return search(state, of("q"), Math.max(0, Number(of("offset")) || 0));
    case "problems":
      return { problems: state.problems };
    case "problem-counts":
      return problemCounts(state.problems);
    case "changes":
      return changes(state, store, sides);
    case "experience-changes": {
      const address = { kind: "content", projectId, experienceId } as const;
      return experienceChanges(state, address, store, sides);
    }
    case "documents":
      return { documents: documentLines(state, projectId, experienceId) };
    case "document": {
      const address = { kind: of("kind") as Address["kind"], projectId, experienceId };
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
