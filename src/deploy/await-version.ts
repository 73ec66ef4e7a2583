import { setTimeout as sleep } from "node:timers/promises";
import { fetchWithTimeout } from "../http/fetch-with-timeout.ts";
import { SvcError } from "../workspace/errors.ts";
import { isJsonObject, parsedJson } from "../workspace/json.ts";

export interface AwaitOptions {
  /** Where the API is served, ending in `/api/v1`. */
  readonly baseUrl: string;
  /** L15: of a preview; it is in no message. */
  readonly token?: string | undefined;
  /** When to give up, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Milliseconds. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;
const TIMEOUT = 10_000;

/**
 * Fetches a project's config until it is the one of this version: a pointer takes seconds to reach
 * every location of a CDN, a cached document as long as its `max-age`.
 *
 * @throws SvcError `not-live-yet` with what is served instead.
 */
export async function awaitVersion(
  projectId: string,
  versionId: string,
  { baseUrl, token, deadline, signal }: AwaitOptions,
): Promise<void> {
  const url = `${baseUrl.replace(/\/+$/, "")}/projects/${encodeURIComponent(projectId)}`;
  const query = token === undefined ? "" : `?preview_token=${encodeURIComponent(token)}`;
  const startedAt = performance.now();
  let between = FIRST_PAUSE;
  for (;;) {
    const served = await servedVersion(url + query, signal);
    const passed = performance.now() - startedAt;
    if (served.versionId === versionId) return;
    if (performance.now() + between > deadline) {
      throw notLive(url, versionId, served.description, passed);
    }
    await sleep(between, undefined, { signal }).catch(() => signal.throwIfAborted());
    between = Math.min(between * 2, LONGEST_PAUSE);
  }
}

/** `description` continues a sentence that starts with the URL. */
async function servedVersion(
  url: string,
  signal: AbortSignal,
): Promise<{ versionId?: unknown; description: string }> {
  const answer = await fetchWithTimeout(url, { timeout: TIMEOUT, signal });
  if ("failure" in answer) return { description: `does not answer (${answer.failure})` };
  if (answer.status !== 200) return { description: `answers ${answer.status}` };
  const config = parsedJson(new TextDecoder().decode(answer.body));
  if (!isJsonObject(config)) return { description: "serves a body that is not a JSON object" };
  const { versionId } = config;
  return { versionId, description: `serves version ${versionId}` };
}

function notLive(url: string, versionId: string, description: string, passed: number): SvcError {
  const seconds = Math.round(passed / 1000);
  return new SvcError(
    "not-live-yet",
    `after ${seconds} seconds ${url} ${description}, not version ${versionId}`,
    {
      hint: "the deploy is done, but caches may need longer: raise --wait, or check the URL",
    },
  );
}
