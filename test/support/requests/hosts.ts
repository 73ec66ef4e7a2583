import { expect, onTestFinished } from "vitest";
import { printRequestFunction } from "../../../src/deploy/edge/functions.ts";
import { nginxConfig } from "../../../src/deploy/edge/nginx.ts";
import { POINTER } from "../../../src/deploy/releases/keys.ts";
import { LiveDrafts } from "../../../src/server/live-drafts.ts";
import { freePort } from "../server/free-port.ts";
import { type Answer, type HttpClient, serve } from "../server/serving.ts";
import { type EdgeFunctionRequest, type EdgeResult, runInNjs, runInNode } from "./edge-engines.ts";
import type { HostName, RequestRow } from "./request-table.ts";
import { PREVIEWED, type RequestedSite } from "./requested-site.ts";
import { type NginxClient, startNginx } from "./start-nginx.ts";
import { startWorkerd } from "./start-workerd.ts";

/** Whether the hosts are those that need nginx and njs, as in `npm run test:edge`. */
const needsPrograms = process.env.SVC_HOSTS === "programs";

export const HOSTS: readonly HostName[] = needsPrograms
  ? ["release", "in-place", "worker", "nginx", "nginx-preview"]
  : ["serve", "preview", "release", "in-place"];

export const runEdgeFunction = needsPrograms ? runInNjs : runInNode;

/** A response; of a bucket's, deploy and CDN set the headers, which are not checked here. */
export interface HostAnswer extends Answer {
  readonly of: "server" | "edge" | "bucket";
}

type SendRequests = (requests: readonly RequestRow[]) => Promise<HostAnswer[]>;

/** Starts a host of the site, which answers requests in order. */
export async function startHost(name: HostName, site: RequestedSite): Promise<SendRequests> {
  switch (name) {
    case "serve":
      return sendTo(await serve(site.bed, { preview: false }), site);
    case "preview":
      return sendTo(await serve(site.bed, { live: liveDrafts(site) }), site);
    case "worker":
      return sendTo(await worker(site), site, "edge");
    case "nginx":
      return sendTo(await nginx(site), site);
    case "nginx-preview":
      return sendTo(
        await nginx(site, (await serve(site.bed, { live: liveDrafts(site) })).url),
        site,
      );
    case "release":
      return throughEdge(name, site, await serve(site.bed));
    case "in-place":
      return throughEdge(name, site, undefined);
  }
}

function liveDrafts({ bed }: RequestedSite): LiveDrafts {
  const live = new LiveDrafts(bed.store, (error) => expect.fail(String(error)));
  onTestFinished(() => live.close());
  return live;
}

export async function nginx(site: RequestedSite, preview?: string): Promise<NginxClient> {
  const port = await freePort();
  const more = preview === undefined ? {} : { preview };
  return startNginx(
    (accessLog) => nginxConfig({ out: site.bed.out, port, accessLog, ...more }),
    port,
  );
}

/** With pointers in the bucket (L2a), of which none leads to a draft. */
async function worker(site: RequestedSite): Promise<HttpClient> {
  const pointers = Object.entries(site.keyValues()).filter(
    ([key, value]) => key.startsWith(POINTER) || value.includes(PREVIEWED),
  );
  const text = JSON.stringify({ values: Object.fromEntries(pointers) });
  const bucket = site.bucket("release").set(".svc-pointers.json", text);
  return startWorkerd(bucket, await freePort());
}

function sendTo(
  client: HttpClient,
  site: RequestedSite,
  of: "server" | "edge" = "server",
): SendRequests {
  return async (requests) => {
    const answers: HostAnswer[] = [];
    for (const { method = "GET", target, headers = {} } of requests) {
      const answer = await client.target(site.target(target), { method, headers });
      // Of a worker's, the host sets it.
      if (of === "edge") answer.headers.delete("Content-Length");
      answers.push({ ...answer, of });
    }
    return answers;
  };
}

function throughEdge(
  mode: "release" | "in-place",
  site: RequestedSite,
  preview: HttpClient | undefined,
): SendRequests {
  const bucket = site.bucket(mode);
  const keys = site.keyValues();
  return async (requests) => {
    const forwarded = requests.map((request) => edgeRequest(request, site));
    const events = forwarded.map((request) => ({ request, keys }));
    const results = await runEdgeFunction(
      printRequestFunction({ kvs: mode === "release" }),
      events,
    );
    const answers: HostAnswer[] = [];
    for (const [index, result] of results.entries()) {
      const { method = "GET", target } = requests[index] ?? { target: "" };
      if (result.origin !== null) {
        if (preview === undefined) throw new Error(`${target} is sent to a preview`);
        const { uri = "", querystring = {} } = result.returned;
        // All that the cache policy passes on.
        const { value = "" } = querystring.preview_token ?? {};
        const answer = await preview.target(`${uri}?preview_token=${value}`, { method });
        answers.push({ ...answer, of: "server" });
      } else answers.push(edgeAnswer(result) ?? bucketAnswer(bucket, method, result));
    }
    return answers;
  };
}

/** A request as CloudFront passes it to a function: nothing in it is decoded. */
export function edgeRequest(
  { method = "GET", target, headers = {} }: Pick<RequestRow, "method" | "target" | "headers">,
  site: RequestedSite,
): EdgeFunctionRequest {
  const [uri = "", ...rest] = site.target(target).split("?");
  const querystring: Record<string, { value: string; multiValue?: { value: string }[] }> = {};
  for (const pair of rest.join("?").split("&").filter(Boolean)) {
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const earlier = querystring[name];
    if (earlier === undefined) querystring[name] = { value };
    else earlier.multiValue = [...(earlier.multiValue ?? [{ value: earlier.value }]), { value }];
  }
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]);
  return { method, uri, querystring, headers: Object.fromEntries(given) };
}

/** The function's own response; undefined when it forwarded the request. */
export function edgeAnswer({ returned }: EdgeResult): HostAnswer | undefined {
  const { statusCode, headers = {}, body } = returned;
  if (statusCode === undefined) return undefined;
  const plain = Object.entries(headers).map(([name, { value }]): [string, string] => [name, value]);
  expect(body?.encoding ?? "text").toBe("text");
  return { status: statusCode, headers: new Headers(plain), text: body?.data ?? "", of: "edge" };
}

function bucketAnswer(
  bucket: ReadonlyMap<string, string>,
  method: string,
  { returned: { uri = "", querystring } }: EdgeResult,
): HostAnswer {
  // A query must not split the cache; that of a preview makes the answer no-store.
  const ofPreview = { preview_token: { value: expect.any(String) } };
  expect(querystring).toEqual(uri.includes(PREVIEWED) ? ofPreview : {});
  // S3 reads a plus sign in a path as a space.
  const bytes = bucket.get(decodeURIComponent(uri.slice(1).replaceAll("+", " ")));
  // The distribution answers 404 with the bucket's 404 document.
  const text = bytes ?? bucket.get("404.json") ?? "";
  const status = bytes === undefined ? 404 : 200;
  return { status, headers: new Headers(), text: method === "HEAD" ? "" : text, of: "bucket" };
}
