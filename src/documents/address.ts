import { isAssetPath } from "../workspace/asset.ts";
import { isId } from "../workspace/ids.ts";

/** The address of a document: what the three endpoints of the specification serve. */
export type Address =
  | { readonly kind: "project"; readonly projectId: string }
  | { readonly kind: "schema"; readonly projectId: string }
  | { readonly kind: "content"; readonly projectId: string; readonly experienceId: string };

/** All routes are versioned under this prefix. */
const API = "api/v1";

/** F1: the folder below `out/` that holds the documents of a project, without a final slash. */
export function projectFolder(projectId: string): string {
  return `${API}/projects/${projectId}`;
}

/** F1: the path of the document's file below `out/`. */
export function filePath(address: Address): string {
  const folder = projectFolder(address.projectId);
  switch (address.kind) {
    case "project":
      return `${folder}/index.json`;
    case "schema":
      return `${folder}/schema.json`;
    case "content":
      return `${folder}/experiences/${address.experienceId}/content.json`;
  }
}

/** The document whose file has this path below `out/`; undefined for other files. */
export function addressOfFilePath(path: string): Address | undefined {
  const [, projectId, rest] = FILE_PATH.exec(path) ?? [];
  if (projectId === undefined || rest === undefined || !isId(projectId)) return undefined;
  if (rest === "index.json") return { kind: "project", projectId };
  if (rest === "schema.json") return { kind: "schema", projectId };
  const [, experienceId] = /^experiences\/([^/]+)\/content\.json$/.exec(rest) ?? [];
  if (experienceId === undefined || !isId(experienceId)) return undefined;
  return { kind: "content", projectId, experienceId };
}

/** F9a: whether a version can have a file with this path below `out/`: a document's, or an asset's. */
export function isPublishedPath(path: string): boolean {
  return addressOfFilePath(path) !== undefined || isAssetPath(path);
}

const FILE_PATH = new RegExp(`^${API}/projects/([^/]+)/(.+)$`);

/** The path of the document's URL on its host. */
export function urlPath(address: Address): string {
  const base = `/${projectFolder(address.projectId)}`;
  switch (address.kind) {
    case "project":
      return base;
    case "schema":
      return `${base}/schema`;
    case "content":
      return `${base}/experiences/${address.experienceId}/content`;
  }
}

/** The project whose events are at a URL path (H50); undefined for other paths. Throws as `addressOfUrlPath`. */
export function eventsProjectOfUrlPath(path: string): string | undefined {
  const end = path.lastIndexOf("/");
  const isForEvents = decodeURIComponent(path.slice(end)) === "/events";
  const address = isForEvents ? addressOfUrlPath(path.slice(0, end)) : undefined;
  return address?.kind === "project" ? address.projectId : undefined;
}

/**
 * The document at a URL path; undefined when the path is not that of a document. Segments are split
 * before they are decoded, so an encoded slash never makes a new segment.
 *
 * @throws URIError when a segment is not percent-encoded UTF-8.
 */
export function addressOfUrlPath(path: string): Address | undefined {
  const [root, ...segments] = path.split("/").map(decodeURIComponent);
  const [api, version, projects, projectId, kind, experienceId, content, ...rest] = segments;
  if (root !== "" || `${api}/${version}` !== API || projects !== "projects") return undefined;
  if (projectId === undefined || !isId(projectId)) return undefined;
  if (kind === undefined) return { kind: "project", projectId };
  if (kind === "schema" && experienceId === undefined) return { kind: "schema", projectId };
  if (kind !== "experiences" || content !== "content" || rest.length > 0) return undefined;
  if (experienceId === undefined || !isId(experienceId)) return undefined;
  return { kind: "content", projectId, experienceId };
}
