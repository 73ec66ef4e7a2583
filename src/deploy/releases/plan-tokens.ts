import type { KeyValues } from "../key-value-store.ts";
import { TOKEN, tokenKey } from "./keys.ts";
import type { KeyChange } from "./pointers.ts";

/** The hash and expiry of a preview token; the token itself never leaves the store (H3). */
export interface KnownToken {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Undefined: does not expire. */
  readonly expiresAt: Date | undefined;
}

/**
 * Plans the changes that make exactly these tokens valid for these projects. A value is the expiry
 * in milliseconds since 1970, or `never`.
 */
export function planTokens(
  { values }: KeyValues,
  tokens: readonly KnownToken[],
  projectIds: readonly string[],
): KeyChange[] {
  const wanted = new Map<string, string>();
  for (const { sha256, expiresAt } of tokens) {
    for (const projectId of projectIds) {
      wanted.set(tokenKey(sha256, projectId), expiresAt ? String(+expiresAt) : "never");
    }
  }
  const changes: KeyChange[] = [];
  for (const [key, after] of wanted) {
    const before = values.get(key);
    if (before !== after) changes.push({ key, before, after });
  }
  for (const [key, before] of values) {
    if (!key.startsWith(TOKEN) || wanted.has(key)) continue;
    const projectId = key.slice(key.indexOf(":", TOKEN.length) + 1);
    if (projectIds.includes(projectId)) changes.push({ key, before, after: undefined });
  }
  return changes;
}
