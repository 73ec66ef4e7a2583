import { type Address, urlPath } from "../../documents/address.ts";
import { documentAt } from "../../documents/documents.ts";
import type { DraftState } from "./draft-state.ts";
import { entryView } from "./entry-view.ts";
import { contentEntryViews, experienceView } from "./experience-view.ts";
import type { ViewContext } from "./field-views.ts";
import { projectView } from "./project-view.ts";

/** The parameters of a query and the data to answer it from. */
interface QueryContext {
  readonly state: DraftState;
  readonly query: URLSearchParams;
  readonly htmlUrl: ViewContext["htmlUrl"];
}

/**
 * Answers one of the page's queries about a record or a document with a value to be sent as JSON, or with the bytes of a JSON
 * document; undefined when the query or its subject does not exist.
 */
export function answerQuery(
  name: string,
  { state, query, htmlUrl }: QueryContext,
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
      return entryView(state, parameter("id"), htmlUrl, projectId);
    case "documents":
      return { documents: documentLines(state, projectId, experienceId) };
    case "document": {
      const kind = parameter("kind") as Address["kind"];
      const address = { kind, projectId, experienceId };
      return documentAt(state.rendering, address, "preview")?.bytes(null);
    }
    default:
      return undefined;
  }
}

export type DocumentLine = ReturnType<typeof documentLines>[number];

/** The documents that a client of the experience requests. */
function documentLines(state: DraftState, projectId: string, experienceId: string) {
  const addresses: Address[] = [
    { kind: "project", projectId },
    { kind: "content", projectId, experienceId },
    { kind: "schema", projectId },
  ];
  return addresses.map((address) => {
    const document = documentAt(state.rendering, address, "preview");
    // In bytes; null when the draft has no such document (E6).
    const size = document?.size ?? null;
    return { kind: address.kind, path: urlPath(address), size };
  });
}
