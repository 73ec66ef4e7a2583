import { filePath, urlPath } from "../../../documents/address.ts";
import { ALLOWED_METHODS, COMMON_HEADERS } from "../../../http/published-headers.ts";
import { RELEASES, releaseFolder } from "../../releases/keys.ts";
import { type Check, type CheckGroup, type CheckOutcome, failed, ok, verdict } from "./check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";
import { DOCUMENT_CHECKS } from "./document-checks.ts";
import { NoAnswer, probe, probeSummary, problemCode, type UrlSource } from "./probe.ts";

const UNKNOWN = "svc-doctor-unknown-project";
const CLOUDFRONT = "see the checks of the distribution: the edge function must answer this";

/** Checks of the host's responses to clients. */
export function urlGroup(
  setup: DoctorSetup,
  pointers: () => Promise<ReadonlyMap<string, string>>,
): CheckGroup<UrlSource> {
  const { host = "", plainHost, project } = setup;
  return {
    id: "url",
    title: "the host responds",
    missing: setup.host === undefined ? "--url" : undefined,
    open: async () => {
      const found =
        setup.kvs === undefined ? new Map<string, string>() : await pointersOrNone(pointers);
      const projectId = project ?? [...found.keys()][0];
      const release = projectId === undefined ? undefined : found.get(projectId);
      const source = { host, plainHost, projectId, release };
      const outcome = await failedWithoutAnswer(async () => {
        const { status } = await probe(host + urlPath({ kind: "project", projectId: UNKNOWN }));
        return ok(`status ${status}`);
      });
      return { source, outcome };
    },
    checks: [MISSING, TOKEN, METHOD, PREFLIGHT, HEADERS, ...DOCUMENT_CHECKS, HTTPS, HIDDEN].map(
      (check) => ({
        ...check,
        run: (source) => failedWithoutAnswer(async () => check.run(source)),
      }),
    ),
  };
}

/** Checks of the KeyValueStore report why pointers cannot be read; here their checks are skipped. */
async function pointersOrNone(pointers: () => Promise<ReadonlyMap<string, string>>) {
  try {
    return await pointers();
  } catch {
    return new Map<string, string>();
  }
}

async function failedWithoutAnswer(run: () => Promise<CheckOutcome>): Promise<CheckOutcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof NoAnswer)
      return failed(error.message, "check --url, DNS and the certificate");
    throw error;
  }
}

const MISSING: Check<UrlSource> = {
  id: "url-not-found",
  title: "H4: an unknown project is a 404 problem document",
  async run({ host }) {
    const answer = await probe(host + urlPath({ kind: "project", projectId: UNKNOWN }));
    const code = problemCode(answer);
    const isRight = answer.status === 404 && (code === "project-not-found" || code === "not-found");
    return verdict(isRight ? [] : [probeSummary(answer)], probeSummary(answer), CLOUDFRONT);
  },
};

const TOKENS = [
  ...["preview_token", "preview_token=", "preview_token=wrong", "x=1&preview_token=wrong"],
  ...["preview_token=wrong&preview_token=other", "preview%5Ftoken=wrong", "preview_token=%ff"],
];

const TOKEN: Check<UrlSource> = {
  id: "url-token",
  title: "H3: an invalid preview_token is a 401, in any form and on all three endpoints",
  async run({ host, projectId = UNKNOWN }) {
    const paths = [
      urlPath({ kind: "project", projectId }),
      urlPath({ kind: "schema", projectId }),
      urlPath({ kind: "content", projectId, experienceId: "home" }),
    ];
    const targets = paths.flatMap((path) => TOKENS.map((query) => `${path}?${query}`));
    const faults: string[] = [];
    for (const path of targets) {
      const answer = await probe(host + path);
      const isRight = answer.status === 401 && problemCode(answer) === "preview-token-invalid";
      if (!isRight) faults.push(`${path} answers ${probeSummary(answer)}`);
      else if (!/no-store/.test(answer.headers.get("cache-control") ?? "")) {
        faults.push(`${path} answers without no-store`);
      }
    }
    return verdict(faults, `${targets.length} requests refused`, CLOUDFRONT);
  },
};

const METHOD: Check<UrlSource> = {
  id: "url-method",
  title: "H1: POST is a 405 with Allow",
  async run({ host, projectId = UNKNOWN }) {
    const answer = await probe(host + urlPath({ kind: "project", projectId }), { method: "POST" });
    const isRight = answer.status === 405 && problemCode(answer) === "method-not-allowed";
    const allow = answer.headers.get("allow") ?? "";
    const faults =
      isRight && allow === ALLOWED_METHODS ? [] : [`${probeSummary(answer)}, Allow "${allow}"`];
    return verdict(faults, probeSummary(answer), `${CLOUDFRONT}, and all methods must reach it`);
  },
};

const PREFLIGHT: Check<UrlSource> = {
  id: "url-options",
  title: "H1: OPTIONS is a 204 with CORS",
  async run({ host, projectId = UNKNOWN }) {
    const url = host + urlPath({ kind: "project", projectId });
    const headers = { "Access-Control-Request-Method": "GET" };
    const answer = await probe(url, { method: "OPTIONS", headers });
    const origin = answer.headers.get("access-control-allow-origin");
    const methods = answer.headers.get("access-control-allow-methods") ?? "";
    const isRight = answer.status === 204 && origin === "*" && /\bGET\b/.test(methods);
    const detail = `status ${answer.status}, origin ${origin}, methods "${methods}"`;
    return verdict(isRight ? [] : [detail], detail, CLOUDFRONT);
  },
};

const HEADERS: Check<UrlSource> = {
  id: "url-headers",
  title: "H1: responses are readable from any origin, and have nosniff",
  async run({ host, projectId = UNKNOWN }) {
    const answer = await probe(host + urlPath({ kind: "project", projectId }));
    const faults = Object.entries(COMMON_HEADERS)
      .filter(([name, value]) => normalized(answer.headers.get(name)) !== normalized(value))
      .map(([name]) => `${name} is "${answer.headers.get(name) ?? ""}"`);
    return verdict(faults, "as published", "see the check headers of the distribution");
  },
};

/** Ignores case and spaces in lists of names. */
const normalized = (value: string | null) => value?.toLowerCase().replaceAll(/\s/g, "");

const HTTPS: Check<UrlSource> = {
  id: "url-https",
  title: "http is redirected to https",
  async run({ plainHost }) {
    if (plainHost === undefined)
      return failed("--url is not an https address", "use the https address");
    const { status, headers } = await probe(
      plainHost + urlPath({ kind: "project", projectId: UNKNOWN }),
    );
    const target = headers.get("location") ?? "";
    const isRight = [301, 302, 307, 308].includes(status) && target.startsWith("https://");
    const detail = `status ${status}, Location "${target}"`;
    return verdict(
      isRight ? [] : [detail],
      detail,
      "set the viewer protocol policy to redirect-to-https",
    );
  },
};

const HIDDEN: Check<UrlSource> = {
  id: "url-hidden",
  title: "only documents and assets of the bucket are reachable",
  async run({ host, projectId = UNKNOWN, release }) {
    const folder = release === undefined ? RELEASES : releaseFolder(release);
    const file = filePath({ kind: "project", projectId });
    const paths = ["manifest.json", "404.json", "503.json", "", RELEASES, file];
    const faults: string[] = [];
    for (const path of [...paths, `${folder}manifest.json`, `${folder}${file}`]) {
      const answer = await probe(`${host}/${path}`);
      if (answer.status !== 404) faults.push(`/${path} answers ${probeSummary(answer)}`);
    }
    return verdict(faults, "all 404", CLOUDFRONT);
  },
};
