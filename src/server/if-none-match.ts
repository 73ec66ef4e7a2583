/**
 * Whether `If-None-Match` matches the entity tag, so that the response is 304 (RFC 9110, 13.1.2: a
 * list or `*`; weak comparison).
 */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag.replace(/^W\//, "") === etag);
}
