import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  type Address,
  addressOfUrlPath,
  eventsProjectOfUrlPath,
  filePath,
} from "../documents/address.ts";
import { NOT_PUBLISHED } from "../http/problem-document.ts";
import {
  ALLOWED_METHODS,
  assetHeaders,
  JSON_TYPE,
  PREFLIGHT_HEADERS,
  PREVIEW_HEADERS,
  PUBLISHED_HEADERS,
} from "../http/published-headers.ts";
import { SvcError } from "../workspace/errors.ts";
import { DraftEvents } from "./draft-events.ts";
import type { DraftOwner } from "./draft-owner.ts";
import type { Live } from "./live.ts";
import type { PublishedFiles } from "./published-files.ts";
import { respond, respondedNotModified, respondProblem } from "./respond.ts";

/** What a preview answers from, and what tells of its changes; without that it has no events. */
interface Previewing {
  readonly owner: DraftOwner;
  readonly live?: Live | undefined;
}

/** The API over HTTP (H1 to H5). Without `preview`, only published files are served. */
export function apiHandler(
  published: PublishedFiles,
  preview: Previewing | undefined,
  onDefect: (error: unknown) => void,
): RequestListener {
  const events = preview?.live && new DraftEvents(preview.owner, preview.live, onDefect);
  return (request, response) => {
    handle(request, response, published, preview?.owner, events).catch((error: unknown) => {
      // Reading the file fails when the client disconnects during the response.
      if (response.closed) return;
      if (error instanceof SvcError && error.code === "preview-stopped") {
        return respondProblem(response, "service-unavailable");
      }
      onDefect(error);
      if (response.headersSent) response.destroy();
      else respondProblem(response, "internal-error");
    });
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  published: PublishedFiles,
  owner: DraftOwner | undefined,
  events: DraftEvents | undefined,
): Promise<void> {
  if (request.method === "OPTIONS") return respond(response, 204, PREFLIGHT_HEADERS);
  if (request.method !== "GET" && request.method !== "HEAD") {
    return respondProblem(response, "method-not-allowed", { Allow: ALLOWED_METHODS });
  }
  if (request.headers.host === undefined && request.httpVersion === "1.1") {
    return respondProblem(response, "bad-request");
  }
  const { path, previewTokens } = requestTarget(request.url ?? "/");
  let address: Address | undefined;
  let asset: ReturnType<typeof assetPathOfUrlPath>;
  try {
    address = addressOfUrlPath(path);
    asset = assetPathOfUrlPath(path);
  } catch {
    return respondProblem(response, "bad-request");
  }
  if (address !== undefined) {
    if (previewTokens.length === 0) {
      const found = await published.serve(filePath(address), request, response, PUBLISHED_HEADERS);
      if (found) return;
      const isUnknown =
        address.kind === "content" &&
        (await published.lacksExperience(address.projectId, address.experienceId));
      respondProblem(response, isUnknown ? "experience-not-found" : NOT_PUBLISHED[address.kind]);
    } else if (owner === undefined) {
      // H3: a request for a preview never gets published content.
      respondProblem(response, "preview-token-invalid", PREVIEW_HEADERS);
    } else {
      const result = await owner.document(address, previewTokens);
      if (typeof result === "string") return respondProblem(response, result, PREVIEW_HEADERS);
      const own = { "X-Svc-Problems": result.problemCount, ETag: result.etag };
      const headers = { ...PREVIEW_HEADERS, ...own, "Content-Type": JSON_TYPE };
      if (respondedNotModified(request, response, headers)) return;
      respond(response, 200, headers, result.bytes);
    }
  } else if (asset !== undefined) {
    if (await published.serve(asset.path, request, response, asset.headers)) return;
    const bytes = await owner?.file(asset.path);
    if (bytes === undefined) return respondProblem(response, "not-found");
    respond(response, 200, { ...asset.headers, ...PREVIEW_HEADERS }, bytes);
  } else {
    const projectId = eventsProjectOfUrlPath(path);
    if (events === undefined || projectId === undefined || previewTokens.length === 0) {
      return respondProblem(response, "not-found");
    }
    await events.serve(projectId, previewTokens, request, response);
  }
}

/**
 * The asset at a URL path, by its path below `out/`; undefined when the path cannot be an asset's.
 *
 * @throws URIError when a segment is not percent-encoded UTF-8.
 */
function assetPathOfUrlPath(path: string) {
  const [root, assets, hash = "", fileName = "", ...rest] = path.split("/").map(decodeURIComponent);
  if (root !== "" || assets !== "assets" || rest.length > 0) return undefined;
  if (!/^[0-9a-f]{16}$/.test(hash)) return undefined;
  if (/[/\\\0]/.test(fileName) || ["", ".", ".."].includes(fileName)) return undefined;
  return { path: `assets/${hash}/${fileName}`, headers: assetHeaders(fileName) };
}

/**
 * The path, still percent-encoded and not normalised (`..` and double slashes stay), and every value of
 * `preview_token`: none for a request for published content (H3).
 */
function requestTarget(url: string): { path: string; previewTokens: readonly string[] } {
  const originForm = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const queryStart = originForm.indexOf("?");
  if (queryStart < 0) return { path: originForm, previewTokens: [] };
  const query = new URLSearchParams(originForm.slice(queryStart + 1));
  return { path: originForm.slice(0, queryStart), previewTokens: query.getAll("preview_token") };
}
