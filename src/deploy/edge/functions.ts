import * as constants from "./constants.ts";
import { printed } from "./printed.ts";

/** CloudFront's limit for the text of a function. */
export const MAX_FUNCTION_BYTES = 10_240;

/**
 * The text of a CloudFront Function for viewer requests, runtime `cloudfront-js-2.0`, that answers
 * as `svc serve` does (H1, H3, H4) in front of a bucket that `svc deploy` filled.
 *
 * @param kvs whether a KeyValueStore names the live release; else the bucket is served in place.
 * @param preview the id of the distribution's origin that renders previews.
 */
export function printRequestFunction({
  kvs,
  preview = constants.PREVIEW_ORIGIN,
}: {
  kvs: boolean;
  preview?: string;
}): string {
  const text = printed("request-function.js", { kvs, runtime: kvs });
  return asScript([text], { PREVIEW_ORIGIN: preview });
}

/**
 * L16: the text of a module worker for Cloudflare, in front of an R2 bucket with releases whose pointers
 * are in the bucket (L2a): the same function, and what CloudFront does around it.
 */
export function printWorker(): string {
  const edge = printed("request-function.js", { kvs: true, runtime: false });
  return asScript([printed("worker.js", {}), edge]);
}

/**
 * The text of the CloudFront Function that gives viewers H2's `Cache-Control`. A release's objects
 * are stored as immutable, so that the edge caches them; a viewer must not, since the URL will
 * serve another release.
 *
 * A response headers policy cannot do this: overriding, it would make previews and the edge
 * function's own responses storable; not overriding, it would leave the object's header. CloudFront
 * does not run this function for responses of 400 and above, so these keep their own header.
 */
export function printResponseFunction(): string {
  return asScript([printed("response-function.js", {})]);
}

const CONSTANTS = /^import \{([^}]*)\} from "\.\.\/constants\.ts";\n/gm;
const RUNTIME_IMPORT = /^import .* from "[^."][^"]*";\n/gm;

/** Hosts take one script: without `export` and doc comments, below the constants it uses. */
function asScript(
  modules: readonly string[],
  settings: Readonly<Record<string, unknown>> = {},
): string {
  const values: Readonly<Record<string, unknown>> = { ...constants, ...settings };
  const module = modules.join("\n");
  const code = module
    .replaceAll(CONSTANTS, "")
    .replaceAll(RUNTIME_IMPORT, "")
    .replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "")
    .replaceAll(/^export (?!default)/gm, "")
    .trim();
  const imported = [...module.matchAll(CONSTANTS)].flatMap(
    ([, names = ""]) => names.match(/\w+/g) ?? [],
  );
  const used = [...new Set(imported)].filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return [
    "// Printed by svc cdn: print it again instead of editing it.\n",
    ...(module.match(RUNTIME_IMPORT) ?? []),
    "\n",
    ...used.map((name) => `const ${name} = ${literal(values[name])};\n`),
    `\n${code}\n`,
  ].join("");
}

/** A constant as JavaScript; a long object has a line for each member. */
function literal(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  const text = JSON.stringify(value);
  if (text.length < 100 || typeof value !== "object" || value === null) return text;
  const members = Object.entries(value).map(
    ([name, member]) => `  ${JSON.stringify(name)}: ${JSON.stringify(member)}`,
  );
  return `{\n${members.join(",\n")}\n}`;
}
