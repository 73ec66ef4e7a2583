import { InvalidArgumentError } from "commander";
import { IN_BUCKET, KVS_ARN, KVS_ARN_FORMAT } from "../../deploy/key-value-store.ts";
import { typeChoice } from "../../import/formats/type-choice.ts";
import { IMAGE_HOST } from "../../page/image-hosts.ts";
import { type Sites, siteTemplate } from "../../page/site-address.ts";
import { didYouMean } from "../../workspace/did-you-mean.ts";
import { PROBLEM_LEVELS } from "../../workspace/problem.ts";
import { editorTemplate } from "../preview/editor-link.ts";

/**
 * The words of an option or argument, or these with a function that reads what is given (by default
 * `notEmpty`) and the default as it would be given. Words are Markdown, for docs/cli.md; `--help`
 * shows them without its marks and without rules.
 */
export type Row = string | readonly [words: string, parse: Parse, defaultText?: string];

/** @param before what it returned for the value before this one, of those that may be repeated. */
type Parse = (text: string, before?: unknown) => unknown;

export const JOBS = {
  write: "Write content:",
  publish: "Publish versions:",
  use: "Use the API:",
  host: "Host it:",
  help: "Help:",
} as const;

/** A command, as `--help`, completion, the config file and docs/cli.md have it. */
export interface CommandRow {
  /** Of a command that `svc --help` lists. */
  readonly job?: keyof typeof JOBS;
  readonly summary: string;
  /** When its exit status is 1. */
  readonly fails?: string;
  readonly examples: readonly string[];
  /** It only has commands below it. */
  readonly isGroup?: true;
  /** Its arguments and options that may name a workspace folder; the first one is `.` inside of one (W7). */
  readonly folders?: readonly string[];
  /** It reads no store. */
  readonly isOfFolder?: true;
  /** N2b: it reads a folder unless it is given this option. */
  readonly unless?: string;
  /** N8: `strict` in the config file is about it. */
  readonly isStrict?: true;
  /** It says itself what an argument too many may have been meant for. */
  readonly refusesExcess?: true;
  /** What it takes: arguments such as `<folder>`, options such as `--out <folder>`. */
  readonly [taken: `<${string}` | `[${string}` | `-${string}`]: Row;
}

type Long<K> = K extends `${string}--${infer N} ${string}`
  ? N
  : K extends `${string}--${infer N}`
    ? N
    : never;
type WithoutNo<N> = N extends `no-${infer M}` ? M : N;
type Camel<N> = N extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : N;
type Inner<K> = K extends `<${infer N}>` ? N : K extends `[${infer N}]` ? N : never;
type WithoutDots<N> = N extends `${infer M}...` ? M : N;
/** The name in TypeScript: `dryRun` of `--dry-run`, `folder` of `<folder>`. */
type Name<K> = WithoutDots<Inner<K>> | Camel<WithoutNo<Long<K>>>;
type ValueOf<K, R> = R extends readonly [string, (...args: never[]) => infer V, ...unknown[]]
  ? V
  : K extends `${string}<${string}` | `[${string}`
    ? string
    : boolean;
type Always<K, R> = R extends readonly [string, unknown, string]
  ? Name<K>
  : K extends `--no-${string}` | `<${string}`
    ? Name<K>
    : never;

/** What a command gets of what it takes, by the names in TypeScript. */
export type Given<T> = { readonly [K in keyof T as Always<K, T[K]>]: ValueOf<K, T[K]> } & {
  readonly [K in keyof T as Exclude<Name<K>, Always<K, T[K]>>]?: ValueOf<K, T[K]>;
};

/** The environment variables that stand for options and arguments. */
export const VARIABLES: Readonly<Record<string, string>> = {
  "--store <file>": "SVC_STORE",
  "--preview-token <token>": "SVC_PREVIEW_TOKEN",
  "--kvs <arn>": "SVC_DEPLOY_KVS",
  "--endpoint <url>": "SVC_DEPLOY_ENDPOINT",
  "--target <target>": "SVC_DEPLOY_TARGET",
  "[target]": "SVC_DEPLOY_TARGET",
};

/**
 * N2: the members of the config file. Each is the default of the options and optional arguments with
 * its name; paths are from the folder of the file.
 */
export const CONFIG: Readonly<
  Record<string, { words: string; isPath?: boolean; isByProject?: boolean }>
> = {
  folder: { words: "The workspace folder of commands with the argument [folder]", isPath: true },
  store: { words: "The store's SQLite file", isPath: true },
  out: { words: "The folder of the published files", isPath: true },
  workspace: { words: "The workspace of a store that has several" },
  target: { words: "Where svc deploy puts the files: s3://bucket or s3://bucket/prefix" },
  kvs: {
    words:
      "The ARN of the CloudFront KeyValueStore with the pointers to the live releases, or bucket",
  },
  endpoint: { words: "The URL of an S3-compatible store that is not AWS's own" },
  site: { words: "The address of your site, or one for each project by its id", isByProject: true },
};

export const SHARED = {
  "--store <file>": ["the store's SQLite file", anyText, "workspace.db"],
  "--config <file>": "a [config file](#config-file) (default `svc.config.json`, if there is one)",
  "--json": "print one JSON object on stdout, or one a line, and nothing else there",
  "--quiet": "print results and errors only",
  "--debug": "print stack traces with errors",
} as const;

export const WORKSPACE = {
  "--workspace <id>": "which workspace; needed when the store has several",
} as const;
export const AT = {
  "--at <time>": "which entries are due at this time (default now, A4)",
} as const;
export const DRAFT = {
  folders: ["folder"],
  "[folder]":
    "a workspace folder, instead of the store's draft (with `--store`, imported into that store)",
  ...WORKSPACE,
  ...AT,
} as const;
export const OUT = {
  "--out <folder>": ["the folder of published files", notEmpty, "out"],
} as const;
export const FORMAT = {
  "--format <format>": [
    "problems as `text`, as `github` annotations, or as a `markdown` table (P13)",
    oneOf("text", "github", "markdown"),
    "text",
  ],
} as const;
export const LISTENING = {
  ...OUT,
  "--host <host>": [
    "the address to listen on",
    // For an empty one Node would listen on every address.
    matching(/\S/, "a host is a name or an address; 0.0.0.0 is every address"),
    "127.0.0.1",
  ],
  "--port <port>": ["the port to listen on; 0 takes a free one", toPort(0), "4400"],
} as const;
export const PREVIEW = {
  ...LISTENING,
  "--allow-host <name>": [
    "a name by which requests may reach the preview, beside IP addresses and localhost (repeatable, H6)",
    listOf(
      matching(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, "must be a host name, without scheme and port"),
    ),
  ],
  "--images <host>": [
    "a host whose pictures and films the page may load, with its port if it has one (repeatable, H26)",
    listOf(matching(IMAGE_HOST, "must be a host name in small letters, without scheme and path")),
  ],
  "--site <address>": [
    "your site, shown beside the content: an address, or a template of those of its pages, with `{locale}`, `{experience.key}`, `{experience.id}`, `{project.id}` (default `/{locale}/{experience.key}` behind it; H46)",
    toSites,
  ],
  "--new-key": "make another access key: links of the page with the old one no longer work (H8)",
  "--against <published>":
    "what changes are shown against: published files, `https://…/api/v1`, or a version of the store (default the store's current version, else `--out`; H30)",
  "--allow-publish":
    "publish, and make versions current again, by buttons on the page, on this machine only (H33)",
} as const;
export const KVS = {
  "--kvs <arn>": [
    "the CloudFront KeyValueStore that says what is live",
    matching(KVS_ARN, KVS_ARN_FORMAT),
  ],
} as const;
export const POINTERS = {
  "--kvs <arn>": [
    "the CloudFront KeyValueStore that says what is live; or `bucket`, which keeps it in the bucket (L2a)",
    matching(
      new RegExp(`${KVS_ARN.source}|^${IN_BUCKET}$`),
      `${KVS_ARN_FORMAT}; or "${IN_BUCKET}", where there is none`,
    ),
  ],
} as const;
export const ENDPOINT = {
  "--endpoint <url>": ["an S3-compatible store that is not AWS's own", toEndpoint],
} as const;
export const BUCKET = {
  "[target]": ["`s3://bucket` or `s3://bucket/prefix`", anyText],
  ...POINTERS,
  ...ENDPOINT,
  "--concurrency <n>": ["concurrent requests", toCount, "64"],
  "--workspace <id>": "one workspace; default: every one of the folder or bucket",
} as const;
export const RELEASE = {
  ...BUCKET,
  "[release]": ["a release, or a beginning of its version id", anyText],
} as const;
export const REASON = {
  "--reason <text>": [
    "why, for whoever is refused (`held`); default: the reason of the hold before",
    matching(/^[^\p{Cc}]{1,200}$/u, "a reason has 1 to 200 characters in one line"),
  ],
} as const;
/** Words as text: without links, marks, and rules ("the [folder](a.md) `b` (X5)"). */
export function plain(words: string): string {
  return words
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .replace(/ \([A-Z]\d+[a-z]?(?:, [A-Z]\d+[a-z]?)*\)|, [A-Z]\d+(?=\))/g, "");
}

/** A secret that is not set is often an empty text. */
export function anyText(text: string): string {
  return text;
}

/** @throws InvalidArgumentError for an empty or blank text, as the others for what they refuse. */
export function notEmpty(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("must not be empty");
}

/** Of an option that may be repeated, and of several arguments. */
export function listOf<T>(parse: (text: string) => T) {
  return (text: string, before: unknown = []): readonly T[] => [
    ...(before as readonly T[]),
    parse(text),
  ];
}

export function oneOf<const T extends string>(...names: readonly T[]) {
  return (text: string): T => {
    const name = names.find((one) => one === text);
    if (name !== undefined) return name;
    throw new InvalidArgumentError(`Allowed choices are ${names.join(", ")}.`);
  };
}

export function matching(pattern: RegExp, message: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(message);
  };
}

export function numberFrom(least: number, most: number, message: string) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(message);
  };
}

export function toPort(least: number) {
  return numberFrom(least, 65_535, `a port is a number from ${least} to 65535`);
}

export function toCount(text: string): number {
  return numberFrom(1, 999_999_999, "a positive integer is expected")(text);
}

export function toNames(text: string): readonly string[] {
  return text.split(",").map((name) => notEmpty(name.trim()));
}

/** X24d: `cover=asset`, `posts.tags=text[]`; `*`: as they are found. */
export function toFieldTypes(text: string) {
  return text === "*"
    ? []
    : toNames(text).map((one) => {
        const choice = typeChoice(one);
        if (choice !== undefined) return choice;
        throw new InvalidArgumentError(`"${one}" is not <field>=<type>`);
      });
}

/** R12: a number of documents, or a part of them. */
export function toRemovalLimit(text: string): { percent: number } | { count: number } {
  const [, digits, isPart] = /^(0|[1-9]\d{0,8})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (isPart ? number >= 1 && number <= 100 : digits !== undefined) {
    return isPart ? { percent: number } : { count: number };
  }
  throw new InvalidArgumentError("must be a number of documents, or a part from 1% to 100%");
}

const BYTES: Readonly<Record<string, number>> = {
  MB: 1e6,
  GB: 1e9,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** R12b: bytes. */
export function toSize(text: string): number {
  const [, amount, unit = ""] = /^([1-9]\d{0,5})([MG]i?B)$/.exec(text) ?? [];
  if (amount !== undefined) return Number(amount) * (BYTES[unit] as number);
  throw new InvalidArgumentError(
    "must be a whole number of MB, GB, MiB or GiB, such as 500MB or 4GiB",
  );
}

export function toCode(code: string): string {
  const codes = Object.keys(PROBLEM_LEVELS);
  if (codes.includes(code)) return code;
  const similar = didYouMean(code, codes);
  throw new InvalidArgumentError(
    similar === undefined
      ? `must be one of ${codes.join(", ")}`
      : `there is no such code; did you mean ${similar}?`,
  );
}

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const MAX_DURATION = 3650 * 86_400_000;

/** Milliseconds. */
export function toDuration(text: string): number {
  // Not null, which commander takes for a missing value.
  if (text === "never") return Number.POSITIVE_INFINITY;
  const [, amount, unit = ""] = /^([1-9]\d*)([mhdw])$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (milliseconds <= MAX_DURATION) return milliseconds;
  throw new InvalidArgumentError(
    "must be a number followed by m, h, d or w, at most ten years (7d), or never",
  );
}

/** H40. */
export function toEditor(given: string): string {
  try {
    return editorTemplate(given);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** @param given of the config file also by project. */
function toSites(given: string | Readonly<Record<string, string>>): Sites {
  const all = typeof given === "string" ? { "": given } : given;
  try {
    return new Map(Object.entries(all).map(([project, one]) => [project, siteTemplate(one)]));
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function toEndpoint(text: string): string {
  if (/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : "")) return text;
  throw new InvalidArgumentError("an endpoint starts with http:// or https://");
}
