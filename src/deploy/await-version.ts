import { SvcError } from "../workspace/errors.ts";
import { pause } from "./pause.ts";

/** How one waits for a deploy to be seen. */
export interface Waiting {
  /** Where the API is served, ending in `/api/v1`. */
  readonly baseUrl: string;
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
 * every place of a CDN, a cached document as long as its `max-age`.
 *
 * @throws SvcError `not-live-yet` with what is served instead.
 */
export async function awaitVersion(
  projectId: string,
  versionId: string,
  { baseUrl, deadline, signal }: Waiting,
): Promise<void> {
  const url = `${baseUrl.replace(/\/+$/, "")}/projects/${encodeURIComponent(projectId)}`;
  const startedAt = performance.now();
  let between = FIRST_PAUSE;
  for (;;) {
    const served = await servedVersion(url, signal);
    const passed = performance.now() - startedAt;
    if (served.versionId === versionId) return;
    if (performance.now() + between > deadline) throw notLive(url, versionId, served.told, passed);
    await pause(between, signal);
    between = Math.min(between * 2, LONGEST_PAUSE);
  }
}

async function servedVersion(
  url: string,
  stop: AbortSignal,
): Promise<{ versionId?: unknown; told: string }> {
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT)]);
    const response = await fetch(url, { signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { told: `answers ${response.status}` };
    }
    const { versionId } = (await response.json()) as { versionId?: unknown };
    return { versionId, told: `serves version ${versionId}` };
  } catch (error) {
    stop.throwIfAborted();
    const { cause = error } = error as Error;
    const { code, message } = cause as NodeJS.ErrnoException;
    return { told: `does not answer (${code ?? message})` };
  }
}

function notLive(url: string, versionId: string, told: string, passed: number): SvcError {
  const seconds = Math.round(passed / 1000);
  return new SvcError(
    "not-live-yet",
    `after ${seconds} seconds ${url} ${told}, not version ${versionId}`,
    {
      hint: "the deploy is done, and caches may need longer: --wait says how long; or the URL is another",
    },
  );
}
