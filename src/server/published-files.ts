import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import serveHandler from "serve-handler";
import { filePath } from "../documents/address.ts";
import { COMMON_HEADERS, type Headers } from "../http/published-headers.ts";
import { etagOf, respondedNotModified } from "./respond.ts";

/** Follow no symbolic link, and do not block on a named pipe. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** So many bytes are read at once, which delays others by less than a wait in between. */
const AT_ONCE = 64 * 1024;
/** Published files whose hashes are remembered. */
const MAX_ETAGS = 100_000;
/** In bytes: a larger config is not read to tell what it lacks, as that would take seconds and gigabytes. */
const LARGEST_CONFIG = 16 * 1024 * 1024;
/** Of configs of so many bytes together the experience ids are remembered: to read one takes 10 ms for each MB. */
const CONFIG_BYTES = 256 * 1024 * 1024;

/** Serves files of `out/`. Each request opens its file once, so that ETag and bytes agree. */
export class PublishedFiles {
  readonly #out: string;
  /** By path of an existing file: the identity of the hashed file, and its ETag. */
  readonly #etags = new Map<string, { state: string; etag: string }>();
  /** By path of a config: the identity of the file, and the ids of its experiences. */
  readonly #experiences = new Map<
    string,
    { state: string; ids: Promise<ReadonlySet<string> | undefined> }
  >();
  #configBytes = 0;

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
    const file = this.#open(path);
    if (file === undefined) return false;
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return false;
      const ETag = await this.#etag(path, file, stats);
      // The client may have disconnected meanwhile.
      if (response.closed || request.socket.destroyed) return true;
      const closed = new Promise((resolve) => response.once("close", resolve));
      await send(file, stats, request, response, { ...COMMON_HEADERS, ...headers, ETag });
      await closed;
      return true;
    } finally {
      closeSync(file);
    }
  }

  /** At once, as each wait for a file takes longer than what is waited for on a busy machine. */
  #open(path: string): number | undefined {
    try {
      const real = join(realpathSync.native(this.#out), path);
      // A symbolic link anywhere in the path could lead out of the folder.
      return realpathSync.native(real) === real ? openSync(real, OPEN_FLAGS) : undefined;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes(code)) return undefined;
      throw error;
    }
  }

  /** H2: from the bytes, hashed again when the file was replaced: serve-handler asks its date only. */
  async #etag(path: string, file: number, stats: Stats): Promise<string> {
    const state = stateOf(stats);
    const known = this.#etags.get(path);
    if (known?.state === state) return known.etag;
    const hash = createHash("sha256");
    for await (const piece of bytesOf(file, 0, stats.size)) hash.update(piece);
    const etag = etagOf(hash.digest("hex"));
    if (this.#etags.size >= MAX_ETAGS) this.#etags.clear();
    this.#etags.set(path, { state, etag });
    return etag;
  }

  /** H54: whether the published config of a project names no such experience; false: or nobody can tell. */
  async lacksExperience(projectId: string, experienceId: string): Promise<boolean> {
    const path = filePath({ kind: "project", projectId });
    const file = this.#open(path);
    if (file === undefined) return false;
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > LARGEST_CONFIG) return false;
      const state = stateOf(stats);
      let known = this.#experiences.get(path);
      if (known?.state !== state) {
        // Undefined: it is damaged, or no file.
        const ids = text(bytesOf(file, 0, stats.size))
          .then(experienceIds)
          .catch(() => undefined);
        known = { state, ids };
        this.#configBytes += stats.size;
        if (this.#configBytes > CONFIG_BYTES) {
          this.#experiences.clear();
          this.#configBytes = stats.size;
        }
        this.#experiences.set(path, known);
      }
      return (await known.ids)?.has(experienceId) === false;
    } finally {
      closeSync(file);
    }
  }
}

function stateOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join();
}

function experienceIds(config: string): ReadonlySet<string> {
  return new Set(JSON.parse(config).experiences.map(({ id }: { id: string }) => id));
}

/** The bytes of a file from `start` to before `end`: few at once, many in pieces. */
function bytesOf(file: number, start: number, end: number): Readable {
  const size = end - start;
  if (size > AT_ONCE) {
    return createReadStream("", { fd: file, start, end: end - 1, autoClose: false });
  }
  const bytes = Buffer.allocUnsafe(size);
  return Readable.from(bytes.subarray(0, readSync(file, bytes, 0, size, start)));
}

/** Lets serve-handler answer, from the opened file, what our rules leave of the request. */
async function send(
  file: number,
  stats: Stats,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Headers & { ETag: string },
): Promise<void> {
  if (respondedNotModified(request, response, headers)) return;
  const { "if-none-match": _unknown, range, ...other } = request.headers;
  const part = isPart(request, stats.size, headers.ETag) ? { range } : {};
  // The path is resolved already: whatever serve-handler makes of another one, it gets this file.
  const ruled = { url: { value: "/" }, headers: { value: { ...other, ...part } } };
  const writeHead = response.writeHead.bind(response);
  response.writeHead = ((status: number, given: OutgoingHttpHeaders = {}) => {
    const { "Content-Disposition": _inline, "Last-Modified": _date, ...kept } = given;
    return writeHead(status, { ...kept, ...headers });
  }) as ServerResponse["writeHead"];
  const last = stats.size - 1;
  const createReadStream = (_path: unknown, { start = 0, end = last } = {}) =>
    bytesOf(file, start, end + 1).on("error", (error) => response.destroy(error));
  const methods = { lstat: async () => stats, createReadStream };
  const config = { cleanUrls: false, directoryListing: false };
  await serveHandler(Object.create(request, ruled), response, config, methods as never);
}

/**
 * H7: whether a `Range` can be served: one range of bytes within the file and, with `If-Range`, of
 * the same ETag. serve-handler takes the first of several, and answers 416 to others.
 */
function isPart({ method, headers }: IncomingMessage, size: number, etag: string): boolean {
  const [, start, end] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
  if (method !== "GET" || start === undefined || end === undefined) return false;
  if (headers["if-range"] !== undefined && headers["if-range"] !== etag) return false;
  if (start === "") return Number(end) > 0 && Number(end) <= size;
  return Number(start) < size && (end === "" || Number(start) <= Number(end));
}
