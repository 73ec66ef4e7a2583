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

/** What `Preview` needs of a store. */
interface PreviewStore {
  /** Differs after each commit to the store, by any process. */
  readonly changeMark: string;
  read<T>(work: () => T): T;
  workspaceOfProject(projectId: string): WorkspaceRow | undefined;
  draftFile(path: string): Uint8Array | undefined;
  readonly tokens: { held(workspace: number): PreviewTokens };
}

/** The current renderings of drafts. */
interface Renderings {
  of(workspace: WorkspaceRow): Rendering;
}

type Result = Document | "unauthorized" | "not-found";

/** A cached document, with the tokens that may read it. */
interface CachedDocument {
  readonly tokens: PreviewTokens;
  readonly document: Document;
}

/** The size of the cache in bytes; when it is full, it is emptied. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** H5: renders the draft as it is at the request, with the renderers that publishing uses. */
export class Preview {
  readonly #store: PreviewStore;
  readonly #renderings: Renderings;
  /** By URL path: the documents rendered since the store last changed. */
  readonly #cache = new Map<string, CachedDocument>();
  #cachedBytes = 0;
  #mark = "";

  constructor(store: PreviewStore, renderings: Renderings) {
    this.#store = store;
    this.#renderings = renderings;
  }

  /** Responds with a document, given every `preview_token` of the request. */
  serve(address: Address, tokens: readonly string[], response: ServerResponse): void {
    const result = this.#render(address, tokens);
    if (result === "unauthorized") {
      respondProblem(response, "preview-token-invalid", PREVIEW_HEADERS);
    } else if (result === "not-found") {
      respondProblem(response, "experience-content-not-published", PREVIEW_HEADERS);
    } else {
      const problems = { "X-Svc-Problems": result.problems.length };
      const headers = { ...PREVIEW_HEADERS, ...problems, "Content-Type": JSON_TYPE };
      respond(response, 200, headers, result.bytes);
    }
  }

  /** The bytes of a draft's asset, by its path once published. */
  file(path: string): Uint8Array | undefined {
    return this.#store.draftFile(path);
  }

  #render(address: Address, tokens: readonly string[]): Result {
    const [token, ...others] = tokens;
    // H3: an empty or repeated token is invalid.
    if (!token || others.length > 0) return "unauthorized";
    const now = new Date();
    const path = urlPath(address);
    const mark = this.#store.changeMark;
    if (mark !== this.#mark) this.#clear();
    this.#mark = mark;
    const cached = this.#cache.get(path);
    if (cached?.tokens.isValid(token, now)) return cached.document;
    // An invalid token takes the same path whether or not the document is cached or exists.
    return this.#store.read(() => {
      const workspace = this.#store.workspaceOfProject(address.projectId);
      const held = this.#store.tokens.held(workspace?.number ?? -1);
      const isValid = held.isValid(token, now);
      if (workspace === undefined || !isValid) return "unauthorized";
      const rendered = renderDocument(this.#renderings.of(workspace), address, PREVIEW);
      if (rendered === undefined) return "not-found";
      // The spread evaluates lazy members now, once, within this transaction.
      const document = { ...rendered };
      this.#remember(path, { tokens: held, document });
      return document;
    });
  }

  #remember(path: string, cached: CachedDocument): void {
    this.#cachedBytes += cached.document.bytes.length;
    if (this.#cachedBytes > CACHE_BYTES) this.#clear();
    else this.#cache.set(path, cached);
  }

  #clear(): void {
    this.#cache.clear();
    this.#cachedBytes = 0;
  }
}
