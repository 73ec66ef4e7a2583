/** The parts of a request's target that the API uses. */
interface RequestTarget {
  /** Still percent-encoded. */
  readonly path: string;
  /** Every value of `preview_token`; none for a request for published content (H3). */
  readonly previewTokens: readonly string[];
}

/** Parses a request target without normalising it: `..` and double slashes stay. */
export function requestTarget(url: string): RequestTarget {
  const originForm = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
  const queryStart = originForm.indexOf("?");
  if (queryStart < 0) return { path: originForm, previewTokens: [] };
  const query = new URLSearchParams(originForm.slice(queryStart + 1));
  return { path: originForm.slice(0, queryStart), previewTokens: query.getAll("preview_token") };
}
