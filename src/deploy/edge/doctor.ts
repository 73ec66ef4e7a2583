import { filePath, urlPath } from "../../documents/address.ts";
import { fetchWithTimeout, urlUnreachable } from "../../http/fetch-with-timeout.ts";
import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  JSON_TYPE,
  PROBLEM_TYPE,
  PUBLISHED_HEADERS,
} from "../../http/published-headers.ts";
import { SvcError } from "../../workspace/errors.ts";
import { parsedJson } from "../../workspace/json.ts";
import type { KeyValueStore } from "../key-value-store.ts";
import { RELEASES, releaseFolder } from "../releases/keys.ts";
import { livePointers } from "../releases/pointers.ts";
import { partsOfName } from "../releases/release.ts";

/** The parts of a live set-up to check; checks of absent parts are skipped. */
export interface DoctorSetup {
  readonly keyValues?: KeyValueStore;
  /** The URL before `/api/v1`. */
  readonly host?: string;
  /** The same by http, which must redirect. */
  readonly plainHost?: string;
  /** A project that is published there. */
  readonly project?: string;
}

/** The result of a check; what could not be checked is never "ok". */
export interface CheckResult {
  /** Stable, for scripts. */
  readonly id: string;
  readonly title: string;
  readonly status: "ok" | "failed" | "skipped";
  /** What was found, or why the check was skipped. */
  readonly detail: string;
  /** How to fix it; every failure has one. */
  readonly hint?: string;
}

/** `ok` when no check failed; skipped checks do not count. */
export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
}

/** L9: checks what clients see of a live set-up, without changing it, in a fixed order. */
export async function diagnose(setup: DoctorSetup): Promise<Diagnosis> {
  const { keyValues, host, plainHost, project } = setup;
  let live: ReadonlyMap<string, string> = new Map();
  const read = keyValues && (async () => (live = livePointers(await keyValues.read())));
  const ofStore = await runAll("--kvs", read, STORE_CHECKS);
  const projectId = project ?? [...live.keys()][0];
  const release = live.get(projectId ?? "");
  const site = host === undefined ? undefined : { host, plainHost, projectId, release };
  const checks = [...ofStore, ...(await runAll("--url", site, SITE_CHECKS))];
  return { ok: checks.every(({ status }) => status !== "failed"), checks };
}

type Outcome = Pick<CheckResult, "status" | "detail" | "hint">;

type Check<Source> = readonly [
  id: string,
  title: string,
  run: (source: Source) => Promise<Outcome>,
];

/** Runs the checks of a source, of which the first one says whether the source answers at all. */
async function runAll<Source>(
  option: string,
  source: Source | undefined,
  checks: readonly Check<Source>[],
): Promise<CheckResult[]> {
  let unmet = source === undefined ? `${option} is not given` : undefined;
  const results: CheckResult[] = [];
  for (const [id, title, run] of checks) {
    const isRun = source !== undefined && unmet === undefined;
    const outcome = isRun ? await run(source).catch(outcomeOf) : skipped(unmet);
    results.push({ id, title, ...outcome });
    if (outcome.status !== "ok" && results.length === 1) {
      unmet ??= `needs ${id}, which cannot be read`;
    }
  }
  return results;
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof SvcError)) throw error;
  const { code, message: detail, hint = "" } = error;
  if (code === "access-denied") return { ...skipped(`not permitted: ${detail}`), hint };
  return { status: "failed", detail, hint };
}

function skipped(detail = ""): Outcome {
  return { status: "skipped", detail };
}

const IN_FRONT =
  "what is in front (svc cdn template, worker, nginx) may be older or changed: print it again";

function verdict(faults: readonly string[], good: string, hint = IN_FRONT): Outcome {
  if (faults.length === 0) return { status: "ok", detail: good };
  return { status: "failed", detail: faults.join("; "), hint };
}

const STORE_CHECKS: readonly Check<() => Promise<ReadonlyMap<string, string>>>[] = [
  [
    "kvs",
    "the KeyValueStore can be read",
    async (r) => verdict([], `${(await r()).size} projects`),
  ],
  [
    "kvs-pointers",
    "L2: projects are served from releases",
    async (read) => {
      const found = [...(await read())];
      const invalid = found.filter(([, release]) => partsOfName(release) === undefined);
      const faults = invalid.map(([id, release]) => `${id} points at "${release}"`);
      if (found.length === 0) faults.push("it has no pointers");
      return verdict(
        faults,
        "each names one",
        "run svc deploy with --kvs, which sets the pointers",
      );
    },
  ],
];

/** A request, and what every host answers. */
export interface DoctorRequest {
  readonly method?: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status and, of a problem document, its code. */
  readonly says: RegExp;
  /** Headers of the answer; texts without case and spaces, which differ. */
  readonly has?: Readonly<Record<string, string | RegExp>>;
}

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

const UNKNOWN = "svc-doctor-unknown-project";
const TOKENS = ["", "=", "=wrong", "=wrong&preview_token=other", "=%ff"];
const INVALID = [...TOKENS.map((one) => `preview_token${one}`), "x&preview%5Ftoken=wrong"];
const CACHING = PUBLISHED_HEADERS["Cache-Control"];
const CORS = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": /\bGET\b/ };
const AS_PUBLISHED = { "Cache-Control": CACHING, "Content-Type": JSON_TYPE, ETag: /./ };

const pathOf = (projectId: string) => urlPath({ kind: "project", projectId });

/** L9: checks by requests alone, which the tests ask of every host. The folder is of the live release, or of all. */
export function requestChecks(
  projectId: string,
  folder: string,
): (readonly [id: string, title: string, requests: readonly DoctorRequest[]])[] {
  const target = pathOf(projectId);
  const to = (more: Partial<DoctorRequest>, says: RegExp) => [{ target, says, ...more }];
  const refused = { says: /^401 preview-token-invalid$/, has: { "Cache-Control": /no-store/ } };
  const invalid = ["", "/schema", "/experiences/home/content"].flatMap((path) =>
    INVALID.map((query) => ({ target: `${target}${path}?${query}`, ...refused })),
  );
  // In place a bucket has one answer for all that is missing.
  const unknown = to({ target: pathOf(UNKNOWN) }, /^404 (?:project-)?not-found$/);
  const preflight = { "Access-Control-Request-Method": "GET" };
  const options = to({ method: "OPTIONS", headers: preflight, has: CORS }, /^204/);
  const post = { method: "POST", has: { Allow: ALLOWED_METHODS } };
  const file = filePath({ kind: "project", projectId });
  const paths = ["manifest.json", "404.json", "503.json", "", RELEASES, file];
  const hidden = [...paths, `${folder}manifest.json`, `${folder}${file}`];
  const has = COMMON_HEADERS;
  return [
    ["url-not-found", "H4: an unknown project is a 404 problem document", unknown],
    ["url-token", "H3: an invalid preview_token is a 401, in any form, on each endpoint", invalid],
    ["url-method", "H1: POST is a 405 with Allow", to(post, /^405 method-not-allowed$/)],
    ["url-options", "H1: OPTIONS is a 204 with CORS", options],
    ["url-headers", "H1: answers are readable from any origin, with nosniff", to({ has }, /./)],
    [DOCUMENT, "H2: a project is served with H2's headers", to({ has: AS_PUBLISHED }, /^200/)],
    [
      "url-hidden",
      "only documents and assets of the bucket are reachable",
      hidden.map((path) => ({ target: `/${path}`, says: /^404/ })),
    ],
  ];
}

/** The check that needs a project. */
const DOCUMENT = "url-document";

/** What of an answer is not as it should be. */
export function faultsOf(answer: Answer, { target, says, has = {} }: DoctorRequest): string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/\s/g, "");
  const found = summary(answer);
  const wrong = Object.entries(has).flatMap(([name, wanted]) => {
    const given = answer.headers.get(name) ?? "";
    const isRight = wanted instanceof RegExp ? wanted.test(given) : plain(wanted) === plain(given);
    return isRight ? [] : [`${target}: ${name} is "${given}"`];
  });
  return says.test(found) ? wrong : [`${target} answers ${found}`];
}

/** The status and, of a problem document, its code (H4). */
function summary({ status, headers, text }: Answer): string {
  const isProblem = headers.get("content-type") === PROBLEM_TYPE;
  return `${status} ${isProblem ? Object(parsedJson(text)).code : "without a problem document"}`;
}

/**
 * Sends a request from another origin, and follows no redirect, for 15 seconds.
 *
 * @throws SvcError `url-unreachable`.
 */
async function probe(url: string, method = "GET", headers = {}): Promise<Answer> {
  const answer = await fetchWithTimeout(url, {
    method,
    redirect: "manual",
    timeout: 15_000,
    readsErrorBody: true,
    headers: { Origin: "https://svc.example", ...headers },
  });
  if ("failure" in answer) throw urlUnreachable(url, answer.failure);
  return { ...answer, text: new TextDecoder().decode(answer.body) };
}

interface Site {
  readonly host: string;
  readonly plainHost: string | undefined;
  /** A project that is published there. */
  readonly projectId: string | undefined;
  /** The release that the KeyValueStore names for it. */
  readonly release: string | undefined;
}

/** A check of a published project's documents, given the URL of its config. */
function ofProject(run: (url: string, site: Site) => Promise<Outcome>) {
  return async (site: Site) =>
    site.projectId === undefined
      ? skipped("no project is known: give --project, or --kvs with pointers")
      : run(site.host + pathOf(site.projectId), site);
}

const OF_REQUESTS = requestChecks(UNKNOWN, RELEASES).map(([id, title], at): Check<Site> => {
  const run = async ({ host, projectId = UNKNOWN, release }: Site) => {
    const folder = release === undefined ? RELEASES : releaseFolder(release);
    const [, , requests = []] = requestChecks(projectId, folder)[at] ?? [];
    const faults: string[] = [];
    for (const one of requests) {
      faults.push(...faultsOf(await probe(host + one.target, one.method, one.headers), one));
    }
    return verdict(faults, `as documented, ${requests.length} asked`);
  };
  return [id, title, id === DOCUMENT ? ofProject((_url, site) => run(site)) : run];
});

const respond = async ({ host }: Site) => verdict([], summary(await probe(host + pathOf(UNKNOWN))));

const SITE_CHECKS: readonly Check<Site>[] = [
  ["url", "the host responds", respond],
  ...OF_REQUESTS,
  ["url-version", "all documents are of the live version", ofProject(oneVersion)],
  ["url-not-modified", "H2: an unchanged document is a 304", ofProject(unchanged)],
  ["url-compression", "responses are compressed", ofProject(compressed)],
  ["url-https", "http is redirected to https", redirected],
];

async function oneVersion(url: string, { release }: Site): Promise<Outcome> {
  const membersOf = async (path: string) => Object(parsedJson((await probe(url + path)).text));
  const config = await membersOf("");
  const schema = await membersOf("/schema");
  const [first] = [config.experiences].flat() as { id?: unknown }[];
  const content = await membersOf(`/experiences/${encodeURIComponent(String(first?.id))}/content`);
  const found = [
    ["config", config.versionId],
    ["schema", schema["x-svc-version-id"]],
    // E6: an experience may have no content.
    ...("versionId" in content ? [["content", content.versionId]] : []),
  ];
  const live = partsOfName(release ?? "")?.versionId ?? config.versionId;
  const faults = found
    .filter(([, versionId]) => typeof versionId !== "string" || versionId !== live)
    .map(([name, versionId]) => `the ${name} is of ${versionId}`);
  return verdict(
    faults,
    String(live),
    "wait a minute, until caches have expired, then check again",
  );
}

async function unchanged(url: string): Promise<Outcome> {
  const etag = (await probe(url)).headers.get("etag") ?? '"none"';
  const { status, headers } = await probe(url, "GET", { "If-None-Match": etag });
  // A 304 updates the headers of the viewer's cached response.
  const caching = headers.get("cache-control") ?? CACHING;
  const isRight = status === 304 && caching === CACHING;
  return verdict(isRight ? [] : [`status ${status}, Cache-Control is "${caching}"`], "304");
}

async function compressed(url: string): Promise<Outcome> {
  const given: string[] = [];
  for (const wanted of ["gzip", "br"]) {
    const { headers, text } = await probe(`${url}/schema`, "GET", { "Accept-Encoding": wanted });
    // CloudFront compresses no shorter ones.
    if (Buffer.byteLength(text) < 1_000) return skipped("the schema is too short to be compressed");
    if (headers.get("content-encoding") === wanted) given.push(wanted);
  }
  // Not every host has brotli: nginx of Debian has none.
  const faults = given.includes("gzip") ? [] : ["for Accept-Encoding gzip, it is not"];
  return verdict(faults, given.join(" and "), `in nginx: gzip on; gzip_types …; ${IN_FRONT}`);
}

async function redirected({ plainHost }: Site): Promise<Outcome> {
  if (plainHost === undefined) {
    return verdict(["--url is not an https address"], "", "use the https address");
  }
  const { status, headers } = await probe(plainHost + pathOf(UNKNOWN));
  const target = headers.get("location") ?? "";
  const isRight = [301, 302, 307, 308].includes(status) && target.startsWith("https://");
  const detail = `status ${status}, Location "${target}"`;
  return verdict(isRight ? [] : [detail], detail, "redirect http to https at the CDN");
}
