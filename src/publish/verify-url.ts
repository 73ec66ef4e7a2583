import { addressOfFilePath, urlPath } from "../documents/address.ts";
import type { OnProgress } from "../documents/rendering.ts";
import { sha256 } from "../documents/version-id.ts";
import { fetchWithTimeout, urlUnreachable } from "../http/fetch-with-timeout.ts";
import { CONCURRENCY, inParallel } from "../http/in-parallel.ts";
import { serverUrl } from "../http/server-url.ts";
import { isAssetPath } from "../workspace/asset.ts";
import { type FileDifference, SvcError, UsageError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { readUrl } from "./read-url.ts";
import { isAddressedBy, PublishedComparison, publishedManifest, type Verified } from "./verify.ts";

/** Of one request, in milliseconds. */
const TIMEOUT = 30_000;
/** Bytes. Of larger assets only the size is compared, if it is known. */
const LARGE = 8 * 1024 * 1024;
/** The failure of `fetch` for the ports that its standard forbids. */
const BLOCKED_PORT = "bad port";

interface Published {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly url: string;
}

/**
 * F7: fetches every published document from a host, then every asset from where the documents say, and
 * compares them with the manifest of `out/`.
 *
 * @param baseUrl where the API is served, ending in `/api/v1`.
 * @throws SvcError `manifest-missing`, `manifest-invalid`, `url-unreachable` when the host does not
 *   answer, or stops answering; UsageError for a URL that is not a base URL
 *   or has a port that is blocked.
 */
export async function verifyUrl(
  out: string,
  baseUrl: string,
  onProgress: OnProgress,
): Promise<Verified> {
  const host = serverUrl(baseUrl);
  const comparison = new PublishedComparison(publishedManifest(out));
  const documents = [...comparison.facts].flatMap(([path, { size }]) => {
    const address = addressOfFilePath(path);
    return address === undefined ? [] : { path, size, url: host + urlPath(address) };
  });
  const assets = [...comparison.facts].filter(([path]) => isAssetPath(path));
  const count = documents.length + assets.length;
  const assetBases = new Map<string, string>();
  let done = 0;
  let consecutiveFailures = 0;
  const compare = async ({ path, size, url }: Published, signal?: AbortSignal) => {
    // Enough to show that a body is longer than published.
    const maxBytes = 2 * size + 65_536;
    const isLarge = size > LARGE;
    // Uncompressed, a host says the size.
    const how = isLarge ? { method: "HEAD", headers: { "accept-encoding": "identity" } } : {};
    const answer = await fetchWithTimeout(url, { ...how, timeout: TIMEOUT, signal, maxBytes });
    done += 1;
    onProgress(done, count, "files compared");
    if ("failure" in answer) {
      consecutiveFailures += 1;
      const isDown = answer.isUnreachable && (done === 1 || consecutiveFailures > CONCURRENCY);
      if (answer.failure === BLOCKED_PORT) throw blockedPort(baseUrl);
      if (isDown) throw urlUnreachable(url, answer.failure);
      comparison.addDifference(path, "unreadable", `${url} did not answer: ${answer.failure}`);
      return;
    }
    consecutiveFailures = 0;
    if (answer.status === 200 && isLarge) {
      const length = answer.headers.get("content-length");
      if (length === null) comparison.addDifference(path, "unreadable", `${url} tells no size`);
      else if (Number(length) !== size) {
        comparison.addDifference(path, "changed", `has ${length} bytes, published were ${size}`);
      }
    } else if (answer.status === 200) {
      comparison.compare(path, answer.body);
      readAssetBases(answer.body, assetBases);
    } else {
      comparison.addDifference(path, reasonOf(answer.status), `${url} answered ${answer.status}`);
    }
  };
  // The first alone, to fail fast on an unreachable host.
  const [first, ...others] = documents;
  if (first !== undefined) await compare(first);
  await inParallel(others, compare);
  const assetRequests = assets.map(([path, { size }]) => {
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    return { path, size, url: assetAddress(host, encoded, assetBases) };
  });
  await inParallel(assetRequests, compare);
  const differs = comparison.finish();
  return { ok: differs.length === 0, files: count, differs };
}

/**
 * F7a: reads what a host serves of projects, which must be all of one version (D4a), then every asset from where the
 * documents say: its bytes must have the hash in its path.
 *
 * @throws SvcError of `readUrl`, and `not-published` where nothing of the projects is; UsageError for a URL that is
 *   not a base URL.
 */
export async function verifyServed(
  baseUrl: string,
  projectIds: readonly string[],
  onProgress: OnProgress,
): Promise<Verified> {
  const host = serverUrl(baseUrl);
  const { versionId, snapshot } = await readUrl(baseUrl, projectIds, onProgress);
  if (versionId === null) {
    const message = `${baseUrl} has nothing published of the projects ${projectIds.join(", ")}`;
    throw new SvcError("not-published", message, { hint: "check the address and the projects" });
  }
  const assetBases = new Map<string, string>();
  for (const path of snapshot.documents.keys()) {
    readAssetBases(Buffer.from(JSON.stringify(snapshot.document(path))), assetBases);
  }
  const differs: FileDifference[] = [];
  let done = 0;
  await inParallel([...assetBases.keys()], async (path, signal) => {
    const url = assetAddress(host, path, assetBases);
    const answer = await fetchWithTimeout(url, { timeout: TIMEOUT, signal, maxBytes: LARGE });
    done += 1;
    onProgress(done, assetBases.size, "assets compared");
    const add = (reason: FileDifference["reason"], detail: string) =>
      differs.push({ path, reason, detail });
    if ("failure" in answer) add("unreadable", `${url} did not answer: ${answer.failure}`);
    else if (answer.status !== 200) {
      add(reasonOf(answer.status), `${url} answered ${answer.status}`);
    } else if (answer.body.byteLength <= LARGE && !isAddressedBy(path, sha256(answer.body))) {
      add("changed", `${url} has bytes that do not match the hash in its path`);
    }
  });
  differs.sort((a, b) => byCodeUnit(a.path, b.path));
  const files = snapshot.documents.size + assetBases.size;
  return { ok: differs.length === 0, versionId, files, differs };
}

function reasonOf(status: number): "missing" | "unreadable" {
  return status === 404 || status === 410 ? "missing" : "unreadable";
}

/** @param path percent-encoded. */
function assetAddress(host: string, path: string, bases: ReadonlyMap<string, string>): string {
  const base = bases.get(path) ?? "";
  return `${base.startsWith("http") ? "" : host}${base}/${path}`;
}

/** V4b: where a document says that its assets are, by their paths: they may have another host. */
function readAssetBases(document: Uint8Array, bases: Map<string, string>): void {
  const text = new TextDecoder().decode(document);
  for (const [, base = "", path = ""] of text.matchAll(ASSET_URL)) bases.set(path, base);
}

const ASSET_URL = /"url":"(https?:\/\/[^"\\]*|\/[^"\\]*|)\/(assets\/[0-9a-f]{16}\/[^"\\/]+)"/g;

function blockedPort(baseUrl: string): UsageError {
  return new UsageError(
    `"${baseUrl}" has a port that HTTP clients block, so nothing was requested`,
    "serve the API on another port, such as 80, 443 or 4400",
  );
}
