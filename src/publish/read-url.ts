import { setTimeout as sleep } from "node:timers/promises";
import { PublishedDocuments } from "../diff/published-documents.ts";
import { nothingPublished, type PublishedSide } from "../diff/snapshot.ts";
import { type Address, filePath, urlPath } from "../documents/address.ts";
import type { OnProgress } from "../documents/rendering.ts";
import {
  type FetchedResponse,
  fetchWithTimeout,
  urlAnswered,
  urlUnreachable,
} from "../http/fetch-with-timeout.ts";
import { inParallel } from "../http/in-parallel.ts";
import { serverUrl, withoutSecrets } from "../http/server-url.ts";
import { SvcError } from "../workspace/errors.ts";
import { isId } from "../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue, parsedJson } from "../workspace/json.ts";

type Pause = (
  milliseconds: number,
  value?: undefined,
  options?: { readonly signal: AbortSignal },
) => Promise<void>;

/** Of one request, in milliseconds. */
const TIMEOUT = 30_000;
/** Of one document, and of all, in bytes; how many there may be (D4c). */
const MAX_SIZE = 100_000_000;
const MAX_TOTAL = 2_000_000_000;
const MAX_DOCUMENTS = 200_000;
/** D4c: how many redirects of a host to itself are followed. */
const REDIRECTS = 5;
/** Requests of one document. */
const ATTEMPTS = 3;
/** How often all documents are read, while they are of several versions (D4a). */
const ROUNDS = 3;
/** Before the second attempt or round, in milliseconds; each further one waits longer. */
const PAUSE = 300;

/**
 * Fetches all documents of projects from the address of an API, and verifies that they are one
 * complete version (D4a).
 *
 * @param baseUrl ends in `/api/v1`.
 * @param pause waits for so many milliseconds before a document is read again.
 * @throws SvcError `url-unreachable`, `url-refused` (D4b: also when no project is found, and the answers are
 *   not those of an API), `document-too-large`, `versions-mixed`,
 *   `version-incomplete`; UsageError for an address that is not a base URL.
 */
export async function readUrl(
  baseUrl: string,
  projectIds: readonly string[],
  onProgress: OnProgress,
  pause: Pause = sleep,
): Promise<PublishedSide> {
  const host = serverUrl(baseUrl);
  const nothing = nothingPublished("url", withoutSecrets(baseUrl));
  for (let round = 1; ; round += 1) {
    const documents = new PublishedDocuments();
    const missing = await readAll(host, projectIds, documents, onProgress, pause);
    const [versionId, ...others] = documents.versionIds;
    if (versionId === undefined) {
      const stranger = missing.find(({ says }) => !UNPUBLISHED.test(says));
      if (stranger !== undefined) throw notAnApi(stranger.url);
      return nothing;
    }
    if (others.length === 0) {
      const snapshot = documents.snapshot();
      if (documents.areAllOf(versionId)) return { ...nothing, versionId, snapshot };
      throw incomplete(baseUrl, versionId, documents.projectIds);
    }
    if (round === ROUNDS) throw mixed(baseUrl, documents.versionIds);
    await pause(PAUSE * 4 ** round);
  }
}

async function readAll(
  host: string,
  projectIds: readonly string[],
  documents: PublishedDocuments,
  onProgress: OnProgress,
  pause: Pause,
): Promise<Answer[]> {
  let total = 0;
  const read = async (address: Address, signal: AbortSignal) => {
    const url = host + urlPath(address);
    const answer = await fetchDocument(url, signal, pause);
    if (answer.body === undefined) return answer;
    total += answer.body.byteLength;
    if (total > MAX_TOTAL) throw tooMuch(host, `${MAX_TOTAL / 1_000_000_000} GB`);
    if (documents.add(filePath(address), answer.body) !== undefined) return answer;
    throw refused(url, "does not answer with a published document");
  };
  const others: Address[] = [];
  const missing: Answer[] = [];
  await inParallel(projectIds, async (projectId, signal) => {
    const config = await read({ kind: "project", projectId }, signal);
    if (config.body === undefined) {
      missing.push(config);
      return;
    }
    others.push({ kind: "schema", projectId });
    for (const experienceId of experiencesOf(config.url, config.body)) {
      others.push({ kind: "content", projectId, experienceId });
    }
    if (others.length > MAX_DOCUMENTS) throw tooMuch(host, `${MAX_DOCUMENTS} documents`);
  });
  let done = 0;
  await inParallel(others, async (address, signal) => {
    // An experience without content has no document (E6).
    await read(address, signal);
    done += 1;
    onProgress(done, others.length, "documents read");
  });
  return missing;
}

interface Answer {
  readonly url: string;
  /** Undefined: 404 or 410, or 403 of a bucket that tells nobody what it does not have. */
  readonly body: Uint8Array | undefined;
  /** The beginning of the answer that there is none. */
  readonly says: string;
}

/**
 * D4b: another 404 may be that of a misspelt address, which must not pass. What an API answers for a project, and
 * S3, also behind a CDN or as a website, before the first deploy.
 */
const UNPUBLISHED =
  /"code":"project-not-found"|Code(?:>|: )(?:NoSuchKey|NoSuchBucket|AccessDenied)</;
/** Of a bucket whose readers may not list it, for each key that it does not have. */
const DENIED = /Code(?:>|: )AccessDenied</;

async function fetchDocument(url: string, signal: AbortSignal, pause: Pause): Promise<Answer> {
  let from = url;
  let redirects = 0;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetchWithTimeout(from, {
      timeout: TIMEOUT,
      signal,
      maxBytes: MAX_SIZE,
      readsErrorBody: true,
      redirect: "manual",
    });
    const location = "failure" in answer ? null : redirectOf(answer);
    if (location !== null && redirects < REDIRECTS) {
      from = sameHost(location, from);
      redirects += 1;
      attempt -= 1;
      continue;
    }
    const isLast = attempt === ATTEMPTS;
    if ("failure" in answer) {
      if (isLast || answer.isUnreachable) throw urlUnreachable(url, answer.failure);
    } else {
      const { status, body } = answer;
      if (body.byteLength > MAX_SIZE) throw tooLarge(url);
      if (status === 200) return { url, body, says: "" };
      const says = new TextDecoder().decode(body.subarray(0, 1000));
      if (status === 404 || status === 410 || (status === 403 && DENIED.test(says))) {
        return { url, body: undefined, says };
      }
      if (isLast || (status < 500 && status !== 429)) throw urlAnswered(url, status, REFUSED);
    }
    await pause(PAUSE * attempt, undefined, { signal });
  }
}

function redirectOf({ status, headers }: FetchedResponse): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get("location") : null;
}

/** D4c: @throws SvcError `url-refused` for a redirect to another host. */
function sameHost(location: string, from: string): string {
  const [next, here] = [URL.parse(location, from), new URL(from)];
  const isHttp = next?.protocol === "http:" || next?.protocol === "https:";
  if (next && isHttp && next.hostname === here.hostname && next.port === here.port)
    return next.href;
  throw new SvcError("url-refused", `${from} redirects to another host`, {
    hint: "give the address that it redirects to, if you trust it",
  });
}

function experiencesOf(url: string, config: Uint8Array): string[] {
  const value = parsedJson(new TextDecoder().decode(config));
  const { experiences }: JsonObject = isJsonObject(value) ? value : {};
  const ids = Array.isArray(experiences)
    ? experiences.map((one: JsonValue) => (isJsonObject(one) ? one.id : undefined))
    : [undefined];
  if (ids.every((id) => typeof id === "string" && isId(id))) return ids as string[];
  throw refused(url, "does not answer with a project config");
}

const REFUSED = "the address of an API ends in /api/v1, and serves what svc has published";

function refused(url: string, what: string): SvcError {
  return new SvcError("url-refused", `${url} ${what}`, { hint: REFUSED });
}

function notAnApi(url: string): SvcError {
  return new SvcError("url-refused", `${url} answered 404, but not as an API or a bucket`, {
    hint: "check the address: it ends in /api/v1, and an API or S3 answers there",
  });
}

function tooLarge(url: string): SvcError {
  const size = `${MAX_SIZE / 1_000_000} MB`;
  return new SvcError("document-too-large", `${url} answers with more than ${size}`, {
    hint: "compare with the out/ folder or the deploy target",
  });
}

function tooMuch(host: string, most: string): SvcError {
  return new SvcError("document-too-large", `${host} serves more than ${most}`, {
    hint: "compare with the out/ folder or the deploy target",
  });
}

function mixed(url: string, versionIds: readonly string[]): SvcError {
  const versions = versionIds.map((id) => id.slice(0, 12)).join(", ");
  return new SvcError(
    "versions-mixed",
    `${url} serves documents of several versions: ${versions}`,
    {
      hint: "wait until the deploy has ended and caches have expired, then try again; projects of different workspaces are named in commands of their own",
    },
  );
}

function incomplete(url: string, versionId: string, projectIds: readonly string[]): SvcError {
  const message = `${url} serves version ${versionId}, and its projects ${projectIds.join(", ")} are not all of it`;
  return new SvcError("version-incomplete", message, {
    hint: "name its further projects with --project; or compare with the out/ folder or the deploy target",
  });
}
