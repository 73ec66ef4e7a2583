import type { Address } from "../../src/documents/address.ts";
import type { RequestProblem } from "../../src/http/problem-document.ts";
import { LONGEST, NAMELESS, PICTURE, UPLOADED } from "./edge-site.ts";

/** The hosts that serve the files; "release" and "in-place" are the two request functions. */
export const HOSTS = ["serve", "preview", "release", "in-place", "nginx", "nginx-preview"] as const;
export type HostName = (typeof HOSTS)[number];

/** The response that a host should give. */
export type Expected =
  /** 200 with a file of `out/`. */
  | { readonly file: string }
  /** 200 with a document of the draft. */
  | { readonly draft: Address }
  | { readonly draftAsset: true }
  | { readonly refused: RequestProblem; readonly preview?: true }
  | "preflight";

export interface EdgeRequest {
  readonly rule: string;
  readonly method?: string;
  /** `$VALID` and the like are replaced by tokens. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: Expected;
  /** Hosts with another response, or that are skipped. */
  readonly but?: Partial<Record<HostName, Expected | "skipped">>;
}

const SITE: Address = { kind: "project", projectId: "site" };
const HOME: Address = { kind: "content", projectId: "site", experienceId: "home" };
const SCHEMA: Address = { kind: "schema", projectId: "site" };
const P = "/api/v1/projects";
const PROJECT = { file: "api/v1/projects/site/index.json" };

/** H3: the hosts that render previews; for the others every token is invalid. */
const PREVIEWING: readonly HostName[] = ["preview", "release", "nginx-preview"];

const refused = (code: RequestProblem) => ({ refused: code });
const urlOf = (path: string) => `/${path.split("/").map(encodeURIComponent).join("/")}`;

function rows(rule: string, expected: Expected, ...targets: readonly string[]): EdgeRequest[] {
  return targets.map((target) => ({ rule, target, expected }));
}

/** The same request once with each of the methods. */
function methods(names: readonly string[], row: EdgeRequest): EdgeRequest[] {
  return names.map((method) => ({ ...row, method }));
}

const ABSENT = refused("experience-content-not-published");
/** The one difference: a bucket has the same response for every missing object. */
const MISSING_IN_BUCKET = { release: refused("not-found"), "in-place": refused("not-found") };
const INVALID = { refused: "preview-token-invalid", preview: true } as const;

const previewed = (rule: string, target: string, expected: Expected): EdgeRequest => ({
  rule,
  target,
  expected: INVALID,
  but: Object.fromEntries(PREVIEWING.map((host) => [host, expected])),
});

const DOCUMENTS: readonly EdgeRequest[] = [
  ...rows("H1: project config", PROJECT, `${P}/site`, `${P}/s%69te`, "/%61pi/v1/projects/site"),
  ...rows(
    "H1: schema",
    { file: "api/v1/projects/site/schema.json" },
    `${P}/site/schema`,
    `${P}/site/sch%65ma`,
  ),
  ...rows(
    "H1: experience content",
    { file: "api/v1/projects/site/experiences/home/content.json" },
    `${P}/site/experiences/home/content`,
    `${P}/%73ite/experiences/hom%65/content`,
  ),
  ...rows("I1: a dotted id", { file: "api/v1/projects/a.b-c_d/index.json" }, `${P}/a.b-c_d`),
  ...rows("I1: an id of 128", { file: `api/v1/projects/${LONGEST}/index.json` }, `${P}/${LONGEST}`),
  ...rows(
    "H1: the query changes nothing",
    PROJECT,
    ...[
      "?",
      "?a=1&b=2",
      "?Preview_Token=x",
      "?previewToken=x",
      "?preview_tokens=x",
      "?%ZZ=%ZZ",
    ].map((query) => `${P}/site${query}`),
    ...["?a=preview_token", "?a?preview_token=1", "?preview+token=1", "?preview_token%3D1"].map(
      (query) => `${P}/site${query}`,
    ),
  ),
  ...methods(["HEAD"], { rule: "H1: HEAD", target: `${P}/site`, expected: PROJECT }),
  {
    rule: "RFC 9112, 3.2.2: absolute form",
    target: `http://elsewhere.example${P}/site`,
    expected: PROJECT,
    but: { release: "skipped", "in-place": "skipped" },
  },
];

const MISSING: readonly EdgeRequest[] = [
  ...["nowhere", "SITE", "_", "manifest"].flatMap((id): EdgeRequest[] => [
    {
      rule: "H4: no such project",
      target: `${P}/${id}`,
      expected: refused("project-not-found"),
      but: { "in-place": refused("not-found") },
    },
    {
      rule: "H4: no such schema",
      target: `${P}/${id}/schema`,
      expected: refused("schema-not-published"),
      but: { "in-place": refused("not-found") },
    },
    {
      rule: "H4: no content of an unknown project",
      target: `${P}/${id}/experiences/home/content`,
      expected: ABSENT,
      but: { "in-place": refused("not-found") },
    },
  ]),
  ...["none", "empty", "HOME", LONGEST].map(
    (id): EdgeRequest => ({
      rule: "E6: no content",
      target: `${P}/site/experiences/${id}/content`,
      expected: ABSENT,
      but: MISSING_IN_BUCKET,
    }),
  ),
  ...methods(["HEAD"], {
    rule: "H1: HEAD",
    target: `${P}/nowhere`,
    expected: refused("project-not-found"),
    but: { "in-place": refused("not-found") },
  }),
];

export const OTHER_ADDRESSES = "H1: 404 for other paths";

const NOWHERE: readonly EdgeRequest[] = rows(
  OTHER_ADDRESSES,
  refused("not-found"),
  ...[
    "/",
    "/api",
    "/api/v1",
    `${P}`,
    `${P}/`,
    `${P}/site/`,
    `${P}/site/schema/`,
    `${P}/site/other`,
  ],
  ...[`${P}/site/experiences`, `${P}/site/experiences/`, `${P}/site/experiences/home`],
  ...[
    `${P}/site/experiences/home/content/`,
    `${P}/site/experiences//content`,
    `${P}/site/schema/x`,
  ],
  ...["/API/v1/projects/site", "/api/V1/projects/site", "/api/v2/projects/site", "/projects/site"],
  ...[`${P}/site/index.json`, `${P}/site/schema.json`, `${P}/site/experiences/home/content.json`],
  ...["/manifest.json", "/404.json", "/assets", "/assets/", "/r/w", "/r/", "/.svc", "/.env"],
  ...[`/r/w/${"0".repeat(32)}-${"0".repeat(12)}/api/v1/projects/site/index.json`, "/.svc-write"],
  ...[`${P}/${LONGEST}L`, `${P}/.site`, `${P}/site.`, `${P}/si%20te`, `${P}/s%C3%A5te`, `${P}/a~b`],
  ...["//api/v1/projects/site", "/api//v1/projects/site", `${P}//site`, `${P}/site//schema`],
  ...["/api%2Fv1/projects/site", "/api/v1/projects%2fsite", `${P}/site%2Fschema`, `${P}/site%5C`],
  ...[`${P}/./site`, `${P}/x/../site`, `${P}/%2e/site`, `${P}/x/%2E%2e/site`, `${P}/..`, `${P}/.`],
  ...[
    "/../manifest.json",
    "/..%2fmanifest.json",
    "/%2e%2e/manifest.json",
    "/assets/../manifest.json",
  ],
  ...[
    "/../refused",
    "/../too-long",
    `${P}/site%0a`,
    `${P}/site%00`,
    "/%00",
    `${P}/site%0d%0aX:%201`,
  ],
  ...[`${P}/site#`, `${P}/site#?preview_token=$VALID`, `${P}/site;a`, "/?preview_token=$VALID"],
  ...[`${P}/?preview_token=`, "/manifest.json?preview_token=$VALID"],
);

const MALFORMED: readonly EdgeRequest[] = rows(
  "H4: malformed percent-encoding",
  refused("bad-request"),
  ...["/%", "/%ZZ", "/%2", `${P}/%C3%28`, `${P}/%C3`, `${P}/site%FF`, `${P}/%E0%A4`, "/%E0%A4?a=b"],
  ...[`${P}/%C0%AE`, `${P}/%ED%A0%80`, `${P}/%F4%90%80%80`, `${P}/%F8%88%80%80%80`, `${P}/%80`],
  ...["/assets/0123456789abcdef/%FF", "//%ZZ", "/..%2f%ZZ", `${P}/site/%ZZ?preview_token=$VALID`],
);

const ASSETS: readonly EdgeRequest[] = [
  ...[PICTURE, UPLOADED, NAMELESS].flatMap(({ path }) =>
    rows("V4b: an asset", { file: path }, urlOf(path), `${urlOf(path)}?preview_token=x`),
  ),
  ...rows("V4b: an asset", { file: PICTURE.path }, urlOf(PICTURE.path).replace("%2B", "+")),
  ...methods(["HEAD"], {
    rule: "H1: HEAD",
    target: urlOf(UPLOADED.path),
    expected: { file: UPLOADED.path },
  }),
  ...rows(
    "H1: no such asset",
    refused("not-found"),
    ...["none.png", "", ".", "..", "a/b", "a%2Fb", "a%5Cb", "a%00", "%F0%9F%92%A9.png"].map(
      (name) => `/assets/${"0123456789abcdef"}/${name}`,
    ),
    ...[
      `${urlOf(PICTURE.path)}/`,
      `/assets/0123456789ABCDEF/x.png`,
      "/assets/0123456789abcde/x.png",
    ],
    ...[
      urlOf(PICTURE.path).replace("assets", "Assets"),
      urlOf(PICTURE.path).replace("/assets", ""),
    ],
  ),
  {
    rule: "H5: a file of the draft",
    target: "$DRAWN",
    expected: refused("not-found"),
    but: { preview: { draftAsset: true }, "nginx-preview": { draftAsset: true } },
  },
];

const OTHER_METHODS: readonly EdgeRequest[] = [
  `${P}/site`,
  `${P}/nowhere?preview_token`,
  urlOf(PICTURE.path),
  "/manifest.json",
  "/%ZZ",
  "/../x",
].flatMap((target) => [
  ...methods(["OPTIONS"], { rule: "H1: OPTIONS", target, expected: "preflight" }),
  ...methods(["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "TRACE", "BREW"], {
    rule: "H1: other methods",
    target,
    expected: refused("method-not-allowed"),
  }),
]);

const EVERY_LETTER = "preview_token".replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);

const TOKENS: readonly EdgeRequest[] = [
  ...[
    ...["preview_token", "preview_token=", "a=1&preview_token&b=2", "a?b=1&preview_token="],
    ...["preview%5Ftoken=x", "preview%5ftoken", `${EVERY_LETTER}=`, EVERY_LETTER.toUpperCase()],
    ...["preview_token=$VALID&preview_token=$VALID", "preview_token=$VALID&preview_token="],
    ...["preview%5ftoken=&preview_token=$VALID", "preview_token=%24", "preview_token=$OTHER"],
    ...[
      "preview_token=$EXPIRED",
      "preview_token=%ZZ%C3",
      "preview_token=$VALID%20",
      "&&preview_token",
    ],
    ...["preview_token=Folder%20token%2B%C3%A4", "preview_token=folder%20token+%C3%A4"],
    ...[
      "a=#&preview_token=1",
      `preview_token=${"t".repeat(12_000)}`,
      "preview_token[]=1&preview_token",
    ],
  ].flatMap((query) =>
    rows(
      "H3: an invalid token",
      INVALID,
      `${P}/site?${query}`,
      `${P}/nowhere?${query}`,
      `${P}/nowhere/schema?${query}`,
      `${P}/site/experiences/none/content?${query}`,
    ),
  ),
  ...rows("H3: a token valid elsewhere", INVALID, `${P}/nowhere?preview_token=$VALID`),
  ...rows("H3: a token valid elsewhere", INVALID, `${P}/shop?preview_token=$VALID`),
  ...methods(["HEAD"], {
    rule: "H1: HEAD",
    target: `${P}/site?preview_token=x`,
    expected: INVALID,
  }),
  previewed("H3: a valid token", `${P}/site?preview_token=$VALID`, { draft: SITE }),
  previewed("H3: a valid token", `${P}/site?a=1&preview_token=$CREATED`, { draft: SITE }),
  previewed("H3: a valid token", `${P}/site/schema?preview%5Ftoken=$VALID`, { draft: SCHEMA }),
  previewed("H3: a valid token", `${P}/site?preview_token=folder+token%2B%C3%A4`, { draft: SITE }),
  previewed("H3: a valid token", `${P}/%73ite/experiences/home/content?preview_token=$VALID`, {
    draft: HOME,
  }),
  previewed("E6: on preview too", `${P}/site/experiences/none/content?preview_token=$VALID`, {
    refused: "experience-content-not-published",
    preview: true,
  }),
];

/** Requests and their responses, the same on every host. */
export const EDGE_REQUESTS: readonly EdgeRequest[] = [
  ...DOCUMENTS,
  ...MISSING,
  ...NOWHERE,
  ...MALFORMED,
  ...ASSETS,
  ...OTHER_METHODS,
  ...TOKENS,
];
