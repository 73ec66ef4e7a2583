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

interface Check<Source> {
  readonly id: string;
  readonly title: string;
  run(source: Source): Promise<Outcome>;
}

/** Runs the checks of a source, of which the first one says whether the source answers at all. */
async function runAll<Source>(
  option: string,
  source: Source | undefined,
  checks: readonly Check<Source>[],
): Promise<CheckResult[]> {
  let unmet = source === undefined ? `${option} is not given` : undefined;
  const results: CheckResult[] = [];
  for (const { id, title, run } of checks) {
    const outcome =
      source === undefined || unmet !== undefined
        ? skipped(unmet ?? "")
        : await run(source).catch(outcomeOf);
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

function skipped(detail: string): Outcome {
  return { status: "skipped", detail };
}

function verdict(faults: readonly string[], good: string, hint: string): Outcome {
  if (faults.length === 0) return { status: "ok", detail: good };
  return { status: "failed", detail: faults.join("; "), hint };
}

/** The release that each project is served from, by project id. */
type ReadPointers = () => Promise<ReadonlyMap<string, string>>;

const STORE_CHECKS: readonly Check<ReadPointers>[] = [
  {
    id: "kvs",
    title: "the KeyValueStore can be read",
    run: async (read) => verdict([], `${(await read()).size} projects`, ""),
  },
  {
    id: "kvs-pointers",
    title: "L2: projects are served from releases",
    async run(read) {
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
  },
];

interface Site {
  readonly host: string;
  readonly plainHost: string | undefined;
  /** A project that is published there. */
  readonly projectId: string | undefined;
  /** The release that the KeyValueStore names for it. */
  readonly release: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Milliseconds. */
const TIMEOUT = 15_000;

/**
 * Sends a request from another origin, and follows no redirect.
 *
 * @throws SvcError `url-unreachable`.
 */
async function probe(url: string, method = "GET", headers = {}): Promise<Answer> {
  const answer = await fetchWithTimeout(url, {
    method,
    redirect: "manual",
    timeout: TIMEOUT,
    readsErrorBody: true,
    headers: { Origin: "https://svc.example", ...headers },
  });
  if ("failure" in answer) throw urlUnreachable(url, answer.failure);
  const { status, body } = answer;
  return { status, headers: answer.headers, text: new TextDecoder().decode(body) };
}

/** The members of a JSON body; none of any other body. */
function membersOf({ text }: Answer): Readonly<Record<string, unknown>> {
  return Object(parsedJson(text));
}

/** H4: the status, and the code of a problem document. */
function summary(answer: Answer): string {
  const isProblem = answer.headers.get("content-type") === PROBLEM_TYPE;
  const code = isProblem ? membersOf(answer).code : undefined;
  return `${answer.status} ${code ?? "without a problem document"}`;
}

const UNKNOWN = "svc-doctor-unknown-project";
const CACHING = PUBLISHED_HEADERS["Cache-Control"];
const TEMPLATE = "print svc cdn template again and deploy the stack: it may be older, or changed";

const pathOf = (projectId: string) => urlPath({ kind: "project", projectId });

/** A check of a published project's documents, given the URL of its config. */
function ofProject(
  id: string,
  title: string,
  run: (url: string, site: Site) => Promise<Outcome>,
): Check<Site> {
  return {
    id,
    title,
    run: async (site) =>
      site.projectId === undefined
        ? skipped("no project is known: give --project, or --kvs with pointers")
        : run(site.host + pathOf(site.projectId), site),
  };
}

const TOKENS = [
  "preview_token",
  "preview_token=",
  "preview_token=wrong",
  "x=1&preview_token=wrong",
  "preview_token=wrong&preview_token=other",
  "preview%5Ftoken=wrong",
  "preview_token=%ff",
];

/** CloudFront compresses no shorter responses, in bytes. */
const MIN_COMPRESSED_BYTES = 1000;

const SITE_CHECKS: readonly Check<Site>[] = [
  {
    id: "url",
    title: "the host responds",
    run: async ({ host }) => verdict([], summary(await probe(host + pathOf(UNKNOWN))), ""),
  },
  {
    id: "url-not-found",
    title: "H4: an unknown project is a 404 problem document",
    async run({ host }) {
      const found = summary(await probe(host + pathOf(UNKNOWN)));
      const isRight = found === "404 project-not-found" || found === "404 not-found";
      return verdict(isRight ? [] : [found], found, TEMPLATE);
    },
  },
  {
    id: "url-token",
    title: "H3: an invalid preview_token is a 401, in any form and on all three endpoints",
    async run({ host, projectId = UNKNOWN }) {
      const project = pathOf(projectId);
      const paths = [project, `${project}/schema`, `${project}/experiences/home/content`];
      const targets = paths.flatMap((path) => TOKENS.map((query) => `${path}?${query}`));
      const faults: string[] = [];
      for (const target of targets) {
        const answer = await probe(host + target);
        const found = summary(answer);
        if (found !== "401 preview-token-invalid") faults.push(`${target} answers ${found}`);
        else if (!/no-store/.test(answer.headers.get("cache-control") ?? "")) {
          faults.push(`${target} answers without no-store`);
        }
      }
      return verdict(faults, `${targets.length} requests refused`, TEMPLATE);
    },
  },
  {
    id: "url-method",
    title: "H1: POST is a 405 with Allow",
    async run({ host, projectId = UNKNOWN }) {
      const answer = await probe(host + pathOf(projectId), "POST");
      const found = `${summary(answer)}, Allow "${answer.headers.get("allow") ?? ""}"`;
      const isRight = found === `405 method-not-allowed, Allow "${ALLOWED_METHODS}"`;
      return verdict(isRight ? [] : [found], found, `${TEMPLATE}; all methods must reach it`);
    },
  },
  {
    id: "url-options",
    title: "H1: OPTIONS is a 204 with CORS",
    async run({ host, projectId = UNKNOWN }) {
      const asked = { "Access-Control-Request-Method": "GET" };
      const { status, headers } = await probe(host + pathOf(projectId), "OPTIONS", asked);
      const origin = headers.get("access-control-allow-origin");
      const methods = headers.get("access-control-allow-methods") ?? "";
      const isRight = status === 204 && origin === "*" && /\bGET\b/.test(methods);
      const detail = `status ${status}, origin ${origin}, methods "${methods}"`;
      return verdict(isRight ? [] : [detail], detail, TEMPLATE);
    },
  },
  {
    id: "url-headers",
    title: "H1: responses are readable from any origin, and have nosniff",
    async run({ host, projectId = UNKNOWN }) {
      const { headers } = await probe(host + pathOf(projectId));
      // Case and spaces in lists of names differ.
      const plain = (text: string | null) => text?.toLowerCase().replaceAll(/\s/g, "");
      const faults = Object.entries(COMMON_HEADERS)
        .filter(([name, value]) => plain(headers.get(name)) !== plain(value))
        .map(([name]) => `${name} is "${headers.get(name) ?? ""}"`);
      return verdict(faults, "as published", TEMPLATE);
    },
  },
  ofProject("url-document", "H2: a project is served with H2's headers", async (url) => {
    const answer = await probe(url);
    if (answer.status !== 200) {
      return verdict([summary(answer)], "", "deploy the project, or name another with --project");
    }
    const caching = answer.headers.get("cache-control");
    const type = answer.headers.get("content-type");
    const faults = [
      ...(caching === CACHING ? [] : [`Cache-Control is "${caching}"`]),
      ...(type === JSON_TYPE ? [] : [`Content-Type is "${type}"`]),
      ...(answer.headers.get("etag") ? [] : ["no ETag"]),
    ];
    return verdict(faults, CACHING, `deploy again; else ${TEMPLATE}`);
  }),
  ofProject("url-version", "all documents are of the live version", async (url, { release }) => {
    const config = membersOf(await probe(url));
    const schema = membersOf(await probe(`${url}/schema`));
    const [first] = [config.experiences].flat() as { id?: unknown }[];
    const id = encodeURIComponent(String(first?.id));
    const content = membersOf(await probe(`${url}/experiences/${id}/content`));
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
    const hint = "wait until the deploy has ended and caches are invalidated, then check again";
    return verdict(faults, String(live), hint);
  }),
  ofProject("url-not-modified", "H2: an unchanged document is a 304", async (url) => {
    const etag = (await probe(url)).headers.get("etag") ?? '"none"';
    const { status, headers } = await probe(url, "GET", { "If-None-Match": etag });
    const caching = headers.get("cache-control");
    const faults = [
      ...(status === 304 ? [] : [`status ${status}`]),
      // A 304 updates the headers of the viewer's cached response.
      ...(caching === null || caching === CACHING ? [] : [`Cache-Control is "${caching}"`]),
    ];
    return verdict(faults, "304", TEMPLATE);
  }),
  ofProject("url-compression", "responses are compressed", async (url) => {
    const given: string[] = [];
    for (const wanted of ["gzip", "br"]) {
      const answer = await probe(`${url}/schema`, "GET", { "Accept-Encoding": wanted });
      if (Buffer.byteLength(answer.text) < MIN_COMPRESSED_BYTES) {
        return skipped("the schema is too short to be compressed");
      }
      if (answer.headers.get("content-encoding") === wanted) given.push(wanted);
    }
    // Not every host has brotli: nginx of Debian has none.
    const faults = given.includes("gzip") ? [] : ["for Accept-Encoding gzip, it is not"];
    return verdict(faults, given.join(" and "), `in nginx: gzip on; gzip_types …; ${TEMPLATE}`);
  }),
  {
    id: "url-https",
    title: "http is redirected to https",
    async run({ plainHost }) {
      if (plainHost === undefined) {
        return verdict(["--url is not an https address"], "", "use the https address");
      }
      const { status, headers } = await probe(plainHost + pathOf(UNKNOWN));
      const target = headers.get("location") ?? "";
      const isRight = [301, 302, 307, 308].includes(status) && target.startsWith("https://");
      const detail = `status ${status}, Location "${target}"`;
      return verdict(isRight ? [] : [detail], detail, "redirect http to https at the CDN");
    },
  },
  {
    id: "url-hidden",
    title: "only documents and assets of the bucket are reachable",
    async run({ host, projectId = UNKNOWN, release }) {
      const folder = release === undefined ? RELEASES : releaseFolder(release);
      const file = filePath({ kind: "project", projectId });
      const paths = ["manifest.json", "404.json", "503.json", "", RELEASES, file];
      const faults: string[] = [];
      for (const path of [...paths, `${folder}manifest.json`, `${folder}${file}`]) {
        const answer = await probe(`${host}/${path}`);
        if (answer.status !== 404) faults.push(`/${path} answers ${summary(answer)}`);
      }
      return verdict(faults, "all 404", TEMPLATE);
    },
  },
];
