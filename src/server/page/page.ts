import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { problemDocument, type RequestProblem } from "../../http/problem-document.ts";
import { type Headers, JSON_TYPE, PROBLEM_TYPE } from "../../http/published-headers.ts";
import type { Live } from "../live.ts";
import { serveEvents } from "../live-events.ts";
import type { AccessKey } from "./access-key.ts";
import { framedHtml } from "./framed-html.ts";
import { HTML_ASSETS, PageData } from "./page-data.ts";
import { type PageFile, readPageFiles, SHELL } from "./page-files.ts";
import { HTML_ASSET_HEADERS, PAGE_HEADERS } from "./page-headers.ts";
import type { PageRenderings, PageStore, Sides } from "./page-store.ts";

export interface PageOptions {
  readonly store: PageStore;
  readonly renderings: PageRenderings;
  readonly sides: Sides;
  readonly live: Live;
  readonly key: AccessKey;
  readonly onDefect: (error: unknown) => void;
}

/** The page's own addresses, apart from `/`. */
const OWN = "/_svc/";
const FILES = "/_svc/page/";
const DATA = "/_svc/data/";
const EVENTS = "/_svc/events";
/** The one address that changes something: it makes a preview token. */
const TOKEN = "/_svc/token";

/**
 * The preview page in front of the API: it answers `/` and what is below `/_svc/`, and `api` the
 * rest. The shell and its files hold nothing of a draft; all else needs the access key, or a ticket
 * made from it.
 */
export function pageHandler(
  { store, renderings, sides, live, key, onDefect }: PageOptions,
  api: RequestListener,
): RequestListener {
  const files = readPageFiles();
  const data = new PageData(store, renderings, sides, live, key);
  return (request, response) => {
    const url = pageUrl(request.url ?? "/");
    if (url === undefined) return api(request, response);
    try {
      const isForEvents = url.pathname === EVENTS && request.method === "GET";
      if (isForEvents && key.isTicket(url.searchParams.get("ticket") ?? "", "events")) {
        serveEvents(live, request, response);
      } else {
        send(response, answer(request, url, files, data, key), url.pathname);
      }
    } catch (error) {
      onDefect(error);
      send(response, "internal-error", url.pathname);
    }
  };
}

/** The address, if it is one of the page's; an address that cannot be read is none. */
function pageUrl(target: string): URL | undefined {
  const path = target.split("?", 1)[0] ?? "";
  if (path !== "/" && !path.startsWith(OWN)) return undefined;
  return URL.parse(target, "http://localhost") ?? undefined;
}

/** Why there is no answer, or what it is. */
type Answer = RequestProblem | { readonly headers: Headers; readonly body: string | Uint8Array };

function answer(
  { method, headers: { authorization } }: IncomingMessage,
  { pathname, searchParams }: URL,
  files: ReadonlyMap<string, PageFile>,
  data: PageData,
  key: AccessKey,
): Answer {
  const isPost = method === "POST" && pathname === TOKEN;
  if (method !== "GET" && method !== "HEAD" && !isPost) return "method-not-allowed";
  if (pathname === "/" || pathname.startsWith(FILES)) {
    const file = files.get(pathname === "/" ? SHELL : pathname.slice(FILES.length));
    if (file === undefined) return "not-found";
    return { headers: { ...PAGE_HEADERS, "Content-Type": file.type }, body: file.bytes };
  }
  if (pathname.startsWith(HTML_ASSETS)) {
    const bytes = data.htmlAsset(pathname);
    const body = bytes && framedHtml(bytes);
    return body === undefined ? "not-found" : { headers: HTML_ASSET_HEADERS, body };
  }
  if (!key.isIn(authorization)) return "access-key-invalid";
  const body = isPost
    ? data.mintToken(searchParams.get("workspace") ?? "", new Date())
    : pathname.startsWith(DATA) && data.answer(pathname.slice(DATA.length), searchParams);
  if (!body) return "not-found";
  return { headers: { ...PAGE_HEADERS, "Content-Type": JSON_TYPE }, body };
}

function send(response: ServerResponse, given: Answer, pathname: string): void {
  if (typeof given === "string") {
    const { status, text } = problemDocument(given);
    const allow = status === 405 && { Allow: pathname === TOKEN ? "POST" : "GET, HEAD" };
    write(response, status, { ...PAGE_HEADERS, "Content-Type": PROBLEM_TYPE, ...allow }, text);
  } else {
    write(response, 200, given.headers, given.body);
  }
}

function write(
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: string | Uint8Array,
): void {
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}
