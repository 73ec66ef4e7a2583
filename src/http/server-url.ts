import { UsageError } from "../workspace/errors.ts";

/**
 * The part of an API's base URL before `/api/v1`.
 *
 * @throws UsageError for an address that is not a base URL.
 */
export function serverUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const [, path] = /^(.*)\/api\/v1\/?$/.exec(url?.pathname ?? "") ?? [];
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain && /^https?:$/.test(url.protocol) && path !== undefined) return url.origin + path;
  throw new UsageError(
    `"${withoutSecrets(baseUrl)}" is not a base URL of the API`,
    "it starts with http:// or https:// and ends in /api/v1, as http://127.0.0.1:4400/api/v1",
  );
}

/** An address for messages: without user and password, and without the query, which may have a token. */
export function withoutSecrets(address: string): string {
  return address.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
}
