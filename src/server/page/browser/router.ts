export type Route = { segments: readonly string[]; query: URLSearchParams };

export function route(): Route {
  const [path = "", search = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const segments = path.split("/").filter((segment) => segment !== "");
  return { segments: segments.map(decoded), query: new URLSearchParams(search) };
}

export function viewHref(
  segments: readonly string[],
  query: Readonly<Record<string, string>> = {},
) {
  const search = new URLSearchParams(query).toString();
  return `#/${segments.map(encodeURIComponent).join("/")}${search && `?${search}`}`;
}

/** The address of an entry, or of a value in it given by a JSON Pointer. */
export function entryHref(workspace: string, id: string, at?: string) {
  return viewHref([workspace, "entries", id], at ? { at } : {});
}

function decoded(segment: string) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
