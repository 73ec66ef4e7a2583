import type { Address } from "../documents/address.ts";
import type { DocumentChanges } from "../documents/changed-documents.ts";
import type { RequestProblem } from "../http/problem-document.ts";
import type { JsonObject } from "../workspace/json.ts";

/** A document as it is served. */
export interface PreviewedDocument {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly problemCount: number;
}

/** What the page adds to what is asked. */
export interface ShownPage {
  /** H8: of which tickets are made. */
  readonly key: string;
  /** H46: by project. */
  readonly sites: ReadonlyMap<string, string>;
  /** H41: the names of what it may do. */
  readonly actions: readonly string[];
}

/**
 * H12: who has the draft, and answers all that is asked about it. What it takes and gives is plain data, as it may
 * be in another thread. All reject with an SvcError `preview-stopped` once it is closed.
 */
export interface DraftOwner {
  workspaces(): Promise<readonly { readonly id: string; readonly projectIds: readonly string[] }[]>;
  /** H5: given every `preview_token` of the request. */
  document(
    address: Address,
    tokens: readonly string[],
  ): Promise<PreviewedDocument | RequestProblem>;
  /** The bytes of a draft's asset, by its path once published. */
  file(path: string): Promise<Uint8Array | undefined>;
  /** H3: a mark of the state of a project's draft; undefined: the tokens are not valid there. */
  mark(project: string, tokens: readonly string[]): Promise<string | undefined>;
  /** H51: of a project, with the mark of its state; undefined: the tokens are not valid any more. */
  changes(
    project: string,
    tokens: readonly string[],
    since: string,
    signal: AbortSignal,
  ): Promise<(DocumentChanges & { readonly mark: string }) | undefined>;
  /**
   * The JSON that answers a query of the page by name; undefined when the query or its subject does not exist.
   * Rejects once the signal aborts.
   */
  answer(
    name: string,
    query: string,
    signal?: AbortSignal,
    page?: ShownPage,
  ): Promise<Uint8Array | string | undefined>;
  /** The bytes of an asset of any draft. */
  htmlAsset(sha256: string): Promise<Uint8Array | undefined>;
  /**
   * H41; undefined: there is no such action or workspace.
   *
   * @param bytes of a file, of an action that takes one.
   * @throws SvcError when it is refused.
   */
  act(
    name: string,
    workspaceId: string,
    body: JsonObject,
    bytes?: Uint8Array,
  ): Promise<object | undefined>;
}
