import { filePath, urlPath } from "../../../documents/address.ts";
import { ALLOWED_METHODS, COMMON_HEADERS } from "../../../http/published-headers.ts";
import { RELEASES, releaseFolder } from "../../releases/keys.ts";
import { type Check, type CheckGroup, type Finding, failed, ok, verdict } from "./doctor-check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";
import { DOCUMENT_CHECKS } from "./doctor-url-document.ts";
import { NoAnswer, probe, problemCode, told, type UrlSource } from "./probe.ts";

const UNKNOWN = "svc-doctor-asks-for-no-project";
const CLOUDFRONT = "look at the checks of the distribution: the edge function must answer this";

/** What the host answers, asked as clients ask. */
export function urlGroup(
  setup: DoctorSetup,
  pointers: () => Promise<ReadonlyMap<string, string>>,
): CheckGroup<UrlSource> {
  const { host = "", plainHost, project } = setup;
  return {
    id: "url",
    title: "the host answers",
    missing: setup.host === undefined ? "--url" : undefined,
    open: async () => {
      const found = setup.kvs === undefined ? new Map<string, string>() : await readable(pointers);
      const projectId = project ?? [...found.keys()][0];
      const release = projectId === undefined ? undefined : found.get(projectId);
      const source = { host, plainHost, projectId, release };
      const finding = await answered(async () => {
        const { status } = await probe(host + urlPath({ kind: "project", projectId: UNKNOWN }));
        return ok(`status ${status}`);
      });
      return { source, finding };
    },
    checks: [MISSING, TOKEN, METHOD, PREFLIGHT, HEADERS, ...DOCUMENT_CHECKS, HTTPS, HIDDEN].map(
      (check) => ({ ...check, run: (source) => answered(async () => check.run(source)) }),
    ),
  };
}

/** Without pointers, some checks are skipped; why they cannot be read is told by checks of their own. */
async function readable(pointers: () => Promise<ReadonlyMap<string, string>>) {
  try {
    return await pointers();
  } catch {
    return new Map<string, string>();
  }
}

async function answered(run: () => Promise<Finding>): Promise<Finding> {
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
    return verdict(isRight ? [] : [told(answer)], told(answer), CLOUDFRONT);
  },
};

const TOKENS = [
  ...["preview_token", "preview_token=", "preview_token=wrong", "x=1&preview_token=wrong"],
  ...["preview_token=wrong&preview_token=other", "preview%5Ftoken=wrong", "preview_token=%ff"],
];

const TOKEN: Check<UrlSource> = {
  id: "url-token",
  title: "H3: preview_token in any form that is not valid is a 401, on all three endpoints",
  async run({ host, projectId = UNKNOWN }) {
    const paths = [
      urlPath({ kind: "project", projectId }),
      urlPath({ kind: "schema", projectId }),
      urlPath({ kind: "content", projectId, experienceId: "home" }),
    ];
    const asked = paths.flatMap((path) => TOKENS.map((query) => `${path}?${query}`));
    const faults: string[] = [];
    for (const path of asked) {
      const answer = await probe(host + path);
      const isRight = answer.status === 401 && problemCode(answer) === "preview-token-invalid";
      if (!isRight) faults.push(`${path} answers ${told(answer)}`);
      else if (!/no-store/.test(answer.headers.get("cache-control") ?? "")) {
        faults.push(`${path} answers without no-store`);
      }
    }
    return verdict(faults, `${asked.length} requests refused`, CLOUDFRONT);
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
      isRight && allow === ALLOWED_METHODS ? [] : [`${told(answer)}, Allow "${allow}"`];
    return verdict(faults, told(answer), `${CLOUDFRONT}, and all methods must reach it`);
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
  title: "H1: answers are readable from any origin, and say nosniff",
  async run({ host, projectId = UNKNOWN }) {
    const answer = await probe(host + urlPath({ kind: "project", projectId }));
    const faults = Object.entries(COMMON_HEADERS)
      .filter(([name, value]) => spaced(answer.headers.get(name)) !== spaced(value))
      .map(([name]) => `${name} is "${answer.headers.get(name) ?? ""}"`);
    return verdict(faults, "as published", "look at the check headers of the distribution");
  },
};

/** Lists of names, with or without a space after the comma and in any case. */
const spaced = (value: string | null) => value?.toLowerCase().replaceAll(/\s/g, "");

const HTTPS: Check<UrlSource> = {
  id: "url-https",
  title: "http is redirected to https",
  async run({ plainHost }) {
    if (plainHost === undefined)
      return failed("--url is no https address", "use the https address");
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
  title: "nothing of the bucket is reachable but documents and assets",
  async run({ host, projectId = UNKNOWN, release }) {
    const folder = release === undefined ? RELEASES : releaseFolder(release);
    const file = filePath({ kind: "project", projectId });
    const paths = ["manifest.json", "404.json", "503.json", "", RELEASES, file];
    const faults: string[] = [];
    for (const path of [...paths, `${folder}manifest.json`, `${folder}${file}`]) {
      const answer = await probe(`${host}/${path}`);
      if (answer.status !== 404) faults.push(`/${path} answers ${told(answer)}`);
    }
    return verdict(faults, "all 404", CLOUDFRONT);
  },
};
