import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { problemDocument, type RequestProblem, refusalDocument } from "../http/problem-document.ts";
import { type Headers, IMMUTABLE, JSON_TYPE, PROBLEM_TYPE } from "../http/published-headers.ts";
import type { DraftOwner, ShownPage } from "../server/draft-owner.ts";
import type { Live } from "../server/live.ts";
import { serveEvents } from "../server/live-events.ts";
import { SvcError } from "../workspace/errors.ts";
import type { AccessKey } from "./access-key.ts";
import { ACTIONS, type Action, type Actions, bodyOf, fileOf, refusalOf } from "./actions.ts";
import { allowImages, type ImageHosts, keptImageHosts } from "./image-hosts.ts";
import { HTML_ASSETS } from "./owned-draft.ts";
import { type PageFile, type PageFiles, pageFiles } from "./page-files.ts";
import { type Sites, siteOrigins } from "./site-address.ts";
import { probedSite } from "./site-probe.ts";
import type { SiteView } from "./site-view.ts";

interface PageOptions {
  readonly owner: DraftOwner;
  readonly live: Live;
  readonly key: AccessKey;
  /** What the page does beside making tokens, by name. */
  readonly actions?: Actions;
  /** Default: none at first, and no longer than the server runs. */
  readonly images?: ImageHosts;
  readonly sites?: Sites | undefined;
  readonly onDefect: (error: unknown) => void;
}

/** The path prefix of everything of the page but `/`. */
const PREFIX = "/_svc/";
const FILES = "/_svc/page/";
const DATA = "/_svc/data/";
const EVENTS = "/_svc/events";
/** H47: what the developer's site loads. */
const SITE_SCRIPT = "/_svc/site.js";

/**
 * The preview page in front of the API: handles `/` and paths below `/_svc/`, and passes all other
 * requests to `api`. The page's static files hold no draft data; everything else needs the access
 * key or a ticket derived from it.
 */
export function pageHandler(
  {
    owner,
    live,
    key,
    actions,
    images = keptImageHosts([]),
    sites = new Map(),
    onDefect,
  }: PageOptions,
  api: RequestListener,
): RequestListener {
  const files = pageFiles();
  const token = { isLoopbackOnly: false, ...actionOf(owner, "token") };
  const all = { ...actions, token, images: allowImages(images) };
  const page = { key: key.text, sites, actions: Object.keys(actions ?? {}) };
  const context = { files, owner, page, key, images, sites, actions: all };
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
        if (error instanceof SvcError && error.code === "document-too-large") return error.code;
        if (error instanceof SvcError && url.pathname.startsWith(ACTIONS)) return error;
        if (!gone.signal.aborted) onDefect(error);
        return "internal-error";
      })
      .then((result) => send(response, result, url.pathname));
  };
}

/** An action that the owner of the draft does. */
export function actionOf(owner: DraftOwner, name: string): Pick<Action, "run"> {
  return { run: (workspaceId, body, _, bytes) => owner.act(name, workspaceId, body, bytes) };
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

type Answer =
  | RequestProblem
  /** What an action refused. */
  | SvcError
  | { readonly headers: Headers; readonly body: string | Uint8Array };

interface AnswerContext {
  readonly files: PageFiles;
  readonly owner: DraftOwner;
  readonly page: ShownPage;
  readonly key: AccessKey;
  readonly images: ImageHosts;
  readonly sites: Sites;
  readonly actions: Actions;
}

async function answer(
  request: IncomingMessage,
  url: URL,
  context: AnswerContext,
  signal: AbortSignal,
): Promise<Answer> {
  const { method, headers } = request;
  const { pathname, searchParams } = url;
  const { files, owner, page, key } = context;
  const isAction = pathname.startsWith(ACTIONS);
  const isRead = method === "GET" || method === "HEAD";
  if (isAction ? method !== "POST" : !isRead) return "method-not-allowed";
  if (pathname === "/") return shell(files.shell, context);
  if (pathname === SITE_SCRIPT) return file(files.siteScript, SITE_SCRIPT_HEADERS);
  if (pathname.startsWith(FILES)) {
    const name = pathname.slice(FILES.length);
    const part = Object.hasOwn(files.parts, name) ? files.parts[name] : undefined;
    return part ? file(part, PART_HEADERS) : "not-found";
  }
  if (pathname.startsWith(HTML_ASSETS)) {
    const [sha256 = "", ticket = ""] = pathname.slice(HTML_ASSETS.length).split("/");
    if (!key.isTicket(ticket, `html ${sha256}`)) return "not-found";
    const bytes = await owner.htmlAsset(sha256);
    const body = bytes && framedHtml(bytes);
    return body === undefined ? "not-found" : { headers: HTML_ASSET_HEADERS, body };
  }
  if (!key.isIn(headers.authorization)) return "access-key-invalid";
  if (isAction) return done(request, url, context, signal);
  const name = pathname.startsWith(DATA) ? pathname.slice(DATA.length) : "";
  if (name === "site-state") return siteState(context, searchParams, signal);
  const body = await owner.answer(name, searchParams.toString(), signal, page);
  return body ? json(body) : "not-found";
}

/** H46a. */
async function siteState(
  { owner, page }: AnswerContext,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<Answer> {
  const view = await owner.answer("site", query.toString(), signal, page);
  if (view === undefined) return "not-found";
  const { address }: SiteView = JSON.parse(view.toString());
  return json(JSON.stringify({ state: await probedSite(address, signal) }));
}

/** H41. */
async function done(
  request: IncomingMessage,
  { pathname, searchParams }: URL,
  { actions, owner }: AnswerContext,
  signal: AbortSignal,
): Promise<Answer> {
  const name = pathname.slice(ACTIONS.length);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  const workspaceId = searchParams.get("workspace") ?? "";
  const workspaces = action === undefined ? [] : await owner.workspaces();
  if (action === undefined || !workspaces.some(({ id }) => id === workspaceId)) return "not-found";
  const refusal = refusalOf(request, action);
  if (refusal !== undefined) return refusal;
  const given = action.takesFile ? await fileOf(request) : await bodyOf(request);
  if (typeof given === "string") return given;
  const isFile = given instanceof Uint8Array;
  const result = isFile
    ? await action.run(workspaceId, Object.fromEntries(searchParams), signal, given)
    : await action.run(workspaceId, given, signal);
  return result === undefined ? "not-found" : json(JSON.stringify(result));
}

function json(body: string | Uint8Array): Answer {
  return { headers: { ...PAGE_HEADERS, "Content-Type": JSON_TYPE }, body };
}

/** H26: the page knows the hosts from its document, so that these are always those of its policy. */
function shell({ type, text }: PageFile, { images, sites }: AnswerContext): Answer {
  const hosts = images.allowed;
  const named = text.replace('name="images" content="', (tag) => `${tag}${hosts.join(" ")}`);
  return file({ type, text: named }, shellHeaders(hosts, siteOrigins(sites)));
}

function file({ type, text }: PageFile, headers: Headers): Answer {
  return { headers: { ...headers, "Content-Type": type }, body: text };
}

function send(response: ServerResponse, result: Answer, pathname: string): void {
  if (typeof result === "string" || result instanceof SvcError) {
    const methods = pathname.startsWith(ACTIONS) ? "POST" : "GET, HEAD";
    const differing =
      result === "method-not-allowed" ? { detail: `Only ${methods} is allowed.` } : {};
    const { status, text } =
      typeof result === "string" ? problemDocument(result, differing) : refusalDocument(result);
    const allow = status === 405 && { Allow: methods };
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
  "Content-Security-Policy": policy([], []),
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

/** The site has another origin, and its pages outlive a new version of the program. */
const SITE_SCRIPT_HEADERS = {
  ...PAGE_HEADERS,
  "Cache-Control": "public, max-age=60",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;

/**
 * @param hosts whose pictures and films it may load, as `IMAGE_HOST` allows them
 * @param sites the origins that it may frame, as `siteTemplate` allows them
 */
function policy(hosts: readonly string[], sites: readonly string[]): string {
  const media = ["'self'", ...hosts].join(" ");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "connect-src 'self'",
    ["frame-src 'self'", ...sites].join(" "),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    // The editor's own, which parses pasted HTML in a document that runs and loads nothing.
    "trusted-types live-worker ProseMirrorClipboard",
  ].join("; ");
}

/** H26, H46b: of the page's document, whose policy is that of the page. */
function shellHeaders(hosts: readonly string[], sites: readonly string[]): Headers {
  return { ...PAGE_HEADERS, "Content-Security-Policy": policy(hosts, sites) };
}
