import type { ServerResponse } from "node:http";
import { type Address, urlPath } from "../documents/address.ts";
import { type Document, PREVIEW } from "../documents/document.ts";
import { renderDocument } from "../documents/documents.ts";
import type { Rendering } from "../documents/rendering.ts";
import { JSON_TYPE, PREVIEW_HEADERS } from "../http/published-headers.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { respond, respondProblem } from "./respond.ts";

/** The tokens that a workspace had at one moment. */
interface PreviewTokens {
  isValid(token: string, now: Date): boolean;
}

/** What preview needs of a store. */
export interface PreviewStore {
  /** Another text after each change of the store, whoever made it. */
  readonly changeMark: string;
  read<T>(work: () => T): T;
  workspaceOfProject(projectId: string): WorkspaceRow | undefined;
  draftFile(path: string): Uint8Array | undefined;
  readonly tokens: { held(workspace: number): PreviewTokens };
}

type Answer = Document | "unauthorized" | "not-found";

/** A document that was asked for, and who may have it. */
interface Answered {
  readonly tokens: PreviewTokens;
  readonly document: Document;
}

/** How many bytes of documents are kept; beyond, all are forgotten. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** H5: renders the draft as it stands at the request, with the renderers that publishing uses. */
export class Preview {
  readonly #store: PreviewStore;
  readonly #renderings: { of(workspace: WorkspaceRow): Rendering };
  /** By address: what was answered since the store last changed. */
  readonly #answered = new Map<string, Answered>();
  #answeredBytes = 0;
  #mark = "";

  constructor(store: PreviewStore, renderings: { of(workspace: WorkspaceRow): Rendering }) {
    this.#store = store;
    this.#renderings = renderings;
  }

  /** Answers for a document, given every `preview_token` of the request. */
  serve(address: Address, tokens: readonly string[], response: ServerResponse): void {
    const answer = this.#answer(address, tokens);
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

  #answer(address: Address, tokens: readonly string[]): Answer {
    const [token, ...others] = tokens;
    // H3: a token that is empty or doubled is none.
    if (!token || others.length > 0) return "unauthorized";
    const now = new Date();
    const path = urlPath(address);
    const mark = this.#store.changeMark;
    if (mark !== this.#mark) this.#forget();
    this.#mark = mark;
    const known = this.#answered.get(path);
    if (known?.tokens.isValid(token, now)) return known.document;
    // A token that is not valid takes this way too, whether or not the address is known.
    return this.#store.read(() => {
      const workspace = this.#store.workspaceOfProject(address.projectId);
      const held = this.#store.tokens.held(workspace?.number ?? -1);
      const isValid = held.isValid(token, now);
      if (workspace === undefined || !isValid) return "unauthorized";
      const rendered = renderDocument(this.#renderings.of(workspace), address, PREVIEW);
      if (rendered === undefined) return "not-found";
      // All of it is made now, from the state of this transaction, and once.
      const document = { ...rendered };
      this.#keep(path, { tokens: held, document });
      return document;
    });
  }

  #keep(path: string, answered: Answered): void {
    this.#answeredBytes += answered.document.bytes.length;
    if (this.#answeredBytes > KEPT_BYTES) this.#forget();
    else this.#answered.set(path, answered);
  }

  #forget(): void {
    this.#answered.clear();
    this.#answeredBytes = 0;
  }
}
