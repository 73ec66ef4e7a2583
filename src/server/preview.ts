import type { ServerResponse } from "node:http";
import type { Address } from "../documents/address.ts";
import { type Document, PREVIEW } from "../documents/document.ts";
import { renderDocument } from "../documents/documents.ts";
import { JSON_TYPE, PREVIEW_HEADERS } from "../documents/published-headers.ts";
import { Rendering } from "../documents/rendering.ts";
import type { Draft } from "../workspace/draft.ts";
import { respond, respondProblem } from "./respond.ts";

/** A workspace, and which state its draft is in. */
export interface PreviewedWorkspace {
  readonly number: number;
  readonly revision: number;
}

/** What preview needs of a store. */
export interface PreviewStore<W extends PreviewedWorkspace = PreviewedWorkspace> {
  read<T>(work: () => T): T;
  workspaceOfProject(projectId: string): W | undefined;
  draft(workspace: W): Draft;
  draftFile(path: string): Uint8Array | undefined;
  readonly tokens: { isValid(workspace: number, token: string, now: Date): boolean };
}

type Answer = Document | "unauthorized" | "not-found";

/** H5: renders the draft as it stands at the request, with the renderers that publishing uses. */
export class Preview<W extends PreviewedWorkspace = PreviewedWorkspace> {
  readonly #store: PreviewStore<W>;
  /** The last state of each workspace's draft that was asked for, by the workspace's number. */
  readonly #renderings = new Map<number, { revision: number; rendering: Rendering }>();

  constructor(store: PreviewStore<W>) {
    this.#store = store;
  }

  /** Answers for a document, given every `preview_token` of the request. */
  serve(address: Address, tokens: readonly string[], response: ServerResponse): void {
    const answer = this.#render(address, tokens);
    if (answer === "unauthorized") {
      respondProblem(response, "preview-token-invalid", PREVIEW_HEADERS);
    } else if (answer === "not-found") {
      respondProblem(response, "experience-content-not-published", PREVIEW_HEADERS);
    } else {
      const problems = { "X-Svc-Problems": answer.problems.length };
      const headers = { ...PREVIEW_HEADERS, ...problems, "Content-Type": JSON_TYPE };
      respond(response, 200, headers, answer.bytes);
    }
  }

  /** The bytes of a draft's asset, by the path at which it would be published. */
  file(path: string): Uint8Array | undefined {
    return this.#store.draftFile(path);
  }

  #render(address: Address, tokens: readonly string[]): Answer {
    const [token, ...others] = tokens;
    // H3: a token that is empty or doubled is none.
    if (!token || others.length > 0) return "unauthorized";
    return this.#store.read(() => {
      const workspace = this.#store.workspaceOfProject(address.projectId);
      const valid = this.#store.tokens.isValid(workspace?.number ?? -1, token, new Date());
      if (workspace === undefined || !valid) return "unauthorized";
      return renderDocument(this.#rendering(workspace), address, PREVIEW) ?? "not-found";
    });
  }

  #rendering(workspace: W): Rendering {
    const known = this.#renderings.get(workspace.number);
    if (known?.revision === workspace.revision) return known.rendering;
    const rendering = new Rendering(this.#store.draft(workspace));
    this.#renderings.set(workspace.number, { revision: workspace.revision, rendering });
    return rendering;
  }
}
