import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { problemDocument, type RequestProblem } from "../../http/problem-document.ts";
import { type Headers, IMMUTABLE, JSON_TYPE, PROBLEM_TYPE } from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { DraftRenderings } from "../draft-renderings.ts";
import type { LiveDrafts } from "../live-drafts.ts";
import { serveEvents } from "../live-events.ts";
import type { PreviewedDrafts } from "../previewed-drafts.ts";
import type { AccessKey } from "./access-key.ts";
import { type DraftAnswers, isDraftQuery } from "./draft-data.ts";
import { HTML_ASSETS, PageData } from "./page-data.ts";
import { type PageFile, type PageFiles, pageFiles } from "./page-files.ts";

interface PageOptions {
  readonly drafts: PreviewedDrafts;
  readonly renderings: DraftRenderings;
  readonly thread: DraftAnswers;
  readonly live: LiveDrafts;
  readonly key: AccessKey;
  readonly onDefect: (error: unknown) => void;
}

/** The path prefix of everything of the page but `/`. */
const PREFIX = "/_svc/";
const FILES = "/_svc/page/";
const DATA = "/_svc/data/";
const EVENTS = "/_svc/events";
/** The only endpoint that writes: it creates a preview token. */
const TOKEN = "/_svc/token";

/**
 * The preview page in front of the API: handles `/` and paths below `/_svc/`, and passes all other
 * requests to `api`. The page's static files hold no draft data; everything else needs the access
 * key or a ticket derived from it.
 */
export function pageHandler(
  { drafts, renderings, thread, live, key, onDefect }: PageOptions,
  api: RequestListener,
): RequestListener {
  const files = pageFiles();
  const data = new PageData(drafts, renderings, live, key);
  const context = { files, data, thread, key };
  return (request, response) => {
    const url = pageUrl(request.url ?? "/");
    if (url === undefined) return api(request, response);
    const isForEvents = url.pathname === EVENTS && request.method === "GET";
    if (isForEvents && key.isTicket(url.searchParams.get("ticket") ?? "", "events")) {
      return serveEvents(live, request, response);
    }
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    answer(request, url, context, gone.signal)
      .catch((error: unknown): Answer => {
        if (isStopped(error)) return "service-unavailable";
        if (!gone.signal.aborted) onDefect(error);
        return "internal-error";
      })
      .then((result) => send(response, result, url.pathname));
  };
}

function isStopped(error: unknown): boolean {
  return error instanceof SvcError && error.code === "preview-stopped";
}

/** The URL of a request for the page; undefined for other paths and malformed targets. */
function pageUrl(target: string): URL | undefined {
  const path = target.split("?", 1)[0] ?? "";
  if (path !== "/" && !path.startsWith(PREFIX)) return undefined;
  return URL.parse(target, "http://localhost") ?? undefined;
}

type Answer = RequestProblem | { readonly headers: Headers; readonly body: string | Uint8Array };

interface AnswerContext {
  readonly files: PageFiles;
  readonly data: PageData;
  readonly thread: DraftAnswers;
  readonly key: AccessKey;
}

async function answer(
  { method, headers: { authorization } }: IncomingMessage,
  { pathname, searchParams }: URL,
  { files, data, thread, key }: AnswerContext,
  signal: AbortSignal,
): Promise<Answer> {
  const isPost = method === "POST" && pathname === TOKEN;
  if (method !== "GET" && method !== "HEAD" && !isPost) return "method-not-allowed";
  if (pathname === "/") return file(files.shell, PAGE_HEADERS);
  if (pathname.startsWith(FILES)) {
    const name = pathname.slice(FILES.length);
    const part = Object.hasOwn(files.parts, name) ? files.parts[name] : undefined;
    return part ? file(part, PART_HEADERS) : "not-found";
  }
  if (pathname.startsWith(HTML_ASSETS)) {
    const bytes = data.htmlAsset(pathname);
    const body = bytes && framedHtml(bytes);
    return body === undefined ? "not-found" : { headers: HTML_ASSET_HEADERS, body };
  }
  if (!key.isIn(authorization)) return "access-key-invalid";
  const name = pathname.startsWith(DATA) ? pathname.slice(DATA.length) : "";
  const body = isPost
    ? data.mintToken(searchParams.get("workspace") ?? "", new Date())
    : isDraftQuery(name)
      ? await thread.answer(name, searchParams.toString(), signal)
      : data.answer(name, searchParams);
  if (!body) return "not-found";
  return { headers: { ...PAGE_HEADERS, "Content-Type": JSON_TYPE }, body };
}

function file({ type, text }: PageFile, headers: Headers): Answer {
  return { headers: { ...headers, "Content-Type": type }, body: text };
}

function send(response: ServerResponse, result: Answer, pathname: string): void {
  if (typeof result === "string") {
    const { status, text } = problemDocument(result);
    const allow = status === 405 && { Allow: pathname === TOKEN ? "POST" : "GET, HEAD" };
    write(response, status, { ...PAGE_HEADERS, "Content-Type": PROBLEM_TYPE, ...allow }, text);
  } else {
    write(response, 200, result.headers, result.body);
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

/**
 * An html asset as shown in a frame: without `<link>` elements, as no content security policy
 * prevents `preconnect` and `dns-prefetch` to other hosts. Undefined when it is not UTF-8.
 */
function framedHtml(bytes: Uint8Array): string | undefined {
  try {
    const html = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return html.replaceAll(/<link(?=[\s/>])/gi, "<removed-link");
  } catch {
    return undefined;
  }
}

/**
 * Of every response of the page: it loads and runs only its own files, cannot be framed, and cannot
 * be read by other origins.
 */
const PAGE_HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types live-worker",
  ].join("; "),
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
} as const;

/** Of what the page consists of, whose names change with their bytes. It shows nothing of a draft. */
const PART_HEADERS = {
  ...PAGE_HEADERS,
  "Cache-Control": IMMUTABLE,
} as const;

/**
 * H9: an html asset is untrusted content: it has an opaque origin, runs no scripts, and neither loads
 * nor sends anything.
 */
const HTML_ASSET_HEADERS = {
  ...PAGE_HEADERS,
  "Content-Security-Policy":
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  "Content-Type": "text/html; charset=utf-8",
  "X-DNS-Prefetch-Control": "off",
} as const;
