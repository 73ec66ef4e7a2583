/**
 * A parsed page address.
 *
 * @typedef {{ segments: readonly string[], query: URLSearchParams }} Route
 */

/** @returns {Route} */
export function route() {
  const [path = "", search = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const segments = path.split("/").filter((segment) => segment !== "");
  return { segments: segments.map(decoded), query: new URLSearchParams(search) };
}

/**
 * The address of a view.
 *
 * @param {readonly string[]} segments
 * @param {Readonly<Record<string, string>>} [query]
 */
export function viewHref(segments, query = {}) {
  const search = new URLSearchParams(query).toString();
  return `#/${segments.map(encodeURIComponent).join("/")}${search && `?${search}`}`;
}

/**
 * The address of an entry, or of a value in it given by a JSON Pointer.
 *
 * @param {string} workspace
 * @param {string} id
 * @param {string} [at]
 */
export function entryHref(workspace, id, at) {
  return viewHref([workspace, "entries", id], at ? { at } : {});
}

/** @param {string} segment */
function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
