import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { join } from "node:path";
import serveHandler from "serve-handler";
import { COMMON_HEADERS, type Headers } from "../http/published-headers.ts";
import { MAX_ETAGS } from "./limits.ts";
import { respond } from "./respond.ts";

interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
  readonly etag: string;
}

/** Serves files of `out/`. Each request opens its file once, so that ETag and bytes agree. */
export class PublishedFiles {
  readonly #out: string;
  /** By path of an existing file: the identity of the hashed file, and its ETag. */
  readonly #etags = new Map<string, { state: string; etag: string }>();

  constructor(out: string) {
    this.#out = out;
  }

  /**
   * Responds with the file at the path relative to `out/`; returns false, without a response, when
   * there is none.
   *
   * @param headers must have `Content-Type`.
   */
  async serve(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    headers: Headers,
  ): Promise<boolean> {
    const file = await this.#open(path);
    if (file === undefined) return false;
    const { handle, stats, etag } = file;
    if (response.closed || request.socket.destroyed) {
      // The client disconnected while the file was being opened.
      await handle.close();
      return true;
    }
    response.once("close", () => void handle.close().catch(() => {}));
    const tagged: Headers = { ...COMMON_HEADERS, ...headers, ETag: etag };
    if (matchesIfNoneMatch(request.headers["if-none-match"], etag)) {
      const { "Content-Type": _none, ...without } = tagged;
      respond(response, 304, without);
      return true;
    }
    const { "if-none-match": _handled, range, ...other } = request.headers;
    const part = isSatisfiableRange(request, stats.size, etag) ? { range } : {};
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    await serveHandler(
      Object.create(request, {
        url: { value: `/${encoded}` },
        headers: { value: { ...other, ...part } },
      }),
      withHeaders(response, tagged),
      { public: this.#out, cleanUrls: false, directoryListing: false },
      methodsOf(handle, stats, response),
    );
    return true;
  }

  async #open(path: string): Promise<OpenFile | undefined> {
    let handle: FileHandle | undefined;
    try {
      const real = join(await realpath(this.#out), path);
      // A symbolic link anywhere in the path could lead out of the folder.
      if ((await realpath(real)) !== real) return undefined;
      handle = await open(real, OPEN_FLAGS);
      const stats = await handle.stat();
      if (stats.isFile()) return { handle, stats, etag: await this.#etag(path, handle, stats) };
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes(code)) return undefined;
      await handle?.close();
      throw error;
    }
    await handle.close();
    return undefined;
  }

  /** H2: a strong ETag from the bytes, which are hashed again only when the file was replaced. */
  async #etag(path: string, handle: FileHandle, stats: Stats): Promise<string> {
    const state = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join();
    const known = this.#etags.get(path);
    if (known?.state === state) return known.etag;
    const hash = createHash("sha256");
    for await (const piece of handle.createReadStream({ start: 0, autoClose: false })) {
      hash.update(piece);
    }
    const etag = `"${hash.digest("hex").slice(0, 32)}"`;
    if (this.#etags.size >= MAX_ETAGS) this.#etags.clear();
    this.#etags.set(path, { state, etag });
    return etag;
  }
}

/** Follow no symbolic link, and do not block on a named pipe. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

type ServeMethods = NonNullable<Parameters<typeof serveHandler>[3]>;

/** Makes serve-handler read the opened file, even when its path now has another one. */
function methodsOf(handle: FileHandle, stats: Stats, response: ServerResponse): ServeMethods {
  const createReadStream = (_path: unknown, range: { start?: number; end?: number } = {}) =>
    handle
      .createReadStream({ start: 0, ...range, autoClose: false })
      .on("error", (error) => response.destroy(error));
  return { lstat: async () => stats, createReadStream } as unknown as ServeMethods;
}

/** The response with our headers instead of those of serve-handler. */
function withHeaders(response: ServerResponse, headers: Headers): ServerResponse {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((status: number, given: OutgoingHttpHeaders = {}) => {
    const { "Content-Disposition": _inline, "Last-Modified": _modified, ...kept } = given;
    return writeHead(status, { ...kept, ...headers });
  }) as ServerResponse["writeHead"];
  return response;
}

/**
 * Whether `If-None-Match` matches the entity tag, so that the response is 304 (RFC 9110, 13.1.2: a
 * list or `*`; weak comparison).
 */
function matchesIfNoneMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag.replace(/^W\//, "") === etag);
}

/**
 * Whether a request's `Range` can be served (RFC 9110, 14): a single byte range within the file
 * and, with `If-Range`, of the same ETag. For anything else the complete file is served.
 */
function isSatisfiableRange(
  { method, headers }: IncomingMessage,
  size: number,
  etag: string,
): boolean {
  const [, start, end] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
  if (method !== "GET" || start === undefined || end === undefined) return false;
  if (headers["if-range"] !== undefined && headers["if-range"] !== etag) return false;
  if (start === "") return Number(end) > 0 && Number(end) <= size;
  return Number(start) < size && (end === "" || Number(start) <= Number(end));
}
