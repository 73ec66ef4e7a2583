export type Route = { segments: readonly string[]; query: URLSearchParams };

export function route(): Route {
  const [path = "", search = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const segments = path.split("/").filter((segment) => segment !== "");
  return { segments: segments.map(decoded), query: new URLSearchParams(search) };
}

export function workspaceHref(id: string) {
  return `#/${encodeURIComponent(id)}`;
}

export function shownWorkspace() {
  return route().segments[0] ?? "";
}

/** The address of a view of the workspace that is shown. */
export function viewHref(
  segments: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
) {
  const place = [shownWorkspace(), ...segments].map(encodeURIComponent).join("/");
  const search = new URLSearchParams(query).toString();
  return `#/${place}${search && `?${search}`}`;
}

/** The address of an entry, or of a value in it given by a JSON Pointer. */
export function entryHref(id: string, at?: string) {
  return viewHref(["entries", id], at ? { at } : {});
}

/** H71: where an entry is read and written in its main language and another one. */
export function translationHref(id: string, locale: string) {
  return viewHref(["entries", id], { translate: locale });
}

function decoded(segment: string) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
