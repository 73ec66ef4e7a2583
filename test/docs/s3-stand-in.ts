import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { listening } from "../support/server/listening.ts";

/** An object as it is stored. */
export interface Stored {
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly at: Date;
}

/**
 * The requests of `svc deploy` to an S3 bucket, until the test ends: no signatures or pages, which
 * the tests on a real server cover. Returns its URL.
 */
export async function startS3(options: { objects?: Map<string, Stored> } = {}): Promise<string> {
  const { objects = new Map<string, Stored>() } = options;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://s3");
    const key = decodeURIComponent(url.pathname.split("/").slice(2).join("/"));
    const bytes = Buffer.concat(await request.toArray());
    const stored = objects.get(key);
    if (request.method === "PUT" && !holds(request.headers, stored)) {
      response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>");
    } else if (request.method === "PUT") {
      const sha256 = String(request.headers["x-amz-meta-sha256"]);
      objects.set(key, { bytes, sha256, at: new Date() });
      response.setHeader("ETag", `"${etagOf(bytes)}"`).end();
    } else if (url.searchParams.has("list-type")) {
      response.end(listing(objects, url.searchParams));
    } else if (request.method === "POST") {
      for (const [, name = ""] of bytes.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) {
        objects.delete(name);
      }
      response.end("<DeleteResult/>");
    } else if (stored === undefined) {
      response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    } else {
      response.writeHead(200, {
        ETag: `"${etagOf(stored.bytes)}"`,
        "Last-Modified": stored.at.toUTCString(),
        "Content-Length": stored.bytes.length,
        "x-amz-meta-sha256": stored.sha256,
      });
      response.end(request.method === "HEAD" ? undefined : stored.bytes);
    }
  });
  return listening(server);
}

function holds(headers: IncomingHttpHeaders, stored: Stored | undefined): boolean {
  const etag = stored && `"${etagOf(stored.bytes)}"`;
  if (headers["if-none-match"] !== undefined) return etag === undefined;
  return headers["if-match"] === undefined || headers["if-match"] === etag;
}

function etagOf(bytes: Buffer): string {
  return createHash("md5").update(bytes).digest("hex");
}

function listing(objects: ReadonlyMap<string, Stored>, query: URLSearchParams): string {
  const prefix = query.get("prefix") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const isFolder = (key: string) =>
    query.has("delimiter") && key.slice(prefix.length).includes("/");
  const folders = new Set(
    keys.filter(isFolder).map((key) => key.slice(0, key.indexOf("/", prefix.length) + 1)),
  );
  const found = keys
    .filter((key) => !isFolder(key))
    .map((key) => {
      const { bytes, at } = objects.get(key) as Stored;
      const facts = `<ETag>"${etagOf(bytes)}"</ETag><Size>${bytes.length}</Size>`;
      return `<Contents><Key>${encodeURIComponent(key)}</Key>${facts}<LastModified>${at.toISOString()}</LastModified></Contents>`;
    });
  const common = [...folders].map(
    (folder) => `<CommonPrefixes><Prefix>${encodeURIComponent(folder)}</Prefix></CommonPrefixes>`,
  );
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${found.join("")}${common.join("")}</ListBucketResult>`;
}
