import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import type { RequestProblem } from "../http/problem-document.ts";
import { isJsonObject, type JsonObject, nestsTooDeep } from "../workspace/json.ts";
import { MOST_BYTES } from "./uploads.ts";

/** The path prefix of what changes something: `POST /_svc/do/<name>?workspace=…`. */
export const ACTIONS = "/_svc/do/";

/** The most bytes of a body of JSON. */
const LONGEST_BODY = 1024 * 1024;

/** H41: what the page does by a request. */
export interface Action {
  /** Refused to clients that are not on this machine, by an address that is. */
  readonly isLoopbackOnly: boolean;
  /** H60: the body of its requests is a file; what else it needs is in their query. */
  readonly takesFile?: boolean;
  /**
   * What the page gets as JSON; undefined: there is no such workspace.
   *
   * @throws SvcError when it is refused: the page shows its message and hint.
   */
  run(
    workspaceId: string,
    body: JsonObject,
    signal: AbortSignal,
    bytes?: Uint8Array,
  ): object | undefined | Promise<object | undefined>;
}

export type Actions = Readonly<Record<string, Action>>;

/** By these a proxy says that it asks for someone else. */
const PROXIED =
  /^(?:forwarded|via|x-(?:original-)?forwarded-(?:for|host)|x-real-ip|(?:\w+-){0,2}(?:client|connecting)-ip)$/;

/** H41, H41a: why a request, which has the access key, may not do this; undefined: it may. */
export function refusalOf(
  { headers, socket }: IncomingMessage,
  { isLoopbackOnly }: Action,
): RequestProblem | undefined {
  const { host = "", origin } = headers;
  const { "sec-fetch-site": site = "same-origin" } = headers;
  if (site !== "same-origin") return "origin-refused";
  if (!isLoopbackOnly) return undefined;
  const isHere = isLoopback(socket.remoteAddress ?? "") && isLoopback(hostName(host));
  const isForOthers = Object.keys(headers).some((name) => PROXIED.test(name));
  if (!isHere || isForOthers) return "not-loopback";
  return origin === undefined || origin === `http://${host}` ? undefined : "origin-refused";
}

function hostName(host: string): string {
  return host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1");
}

/** Whether a name or an address leads to this machine alone. */
export function isLoopback(name: string): boolean {
  const address = name.toLowerCase().replace(/^::ffff:/, "");
  if (isIPv4(address)) return address.startsWith("127.");
  return address === "::1" || address === "localhost" || address.endsWith(".localhost");
}

/** H41: the object in the body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<JsonObject | RequestProblem> {
  if (!isOfType(request.headers, "application/json")) return "content-type-refused";
  const bytes = await bytesOf(request, LONGEST_BODY);
  if (bytes === undefined) return "body-too-large";
  try {
    const body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    // As 1e999, of which JSON would be null, and what no text of JSON may have.
    const isLost = (_: string, value: unknown) => {
      if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("a number");
      return value;
    };
    JSON.stringify(body, isLost);
    return isJsonObject(body) && !nestsTooDeep(body) ? body : "bad-request";
  } catch {
    return "bad-request";
  }
}

/** H60: the file that is the body of a request. */
export async function fileOf(request: IncomingMessage): Promise<Uint8Array | RequestProblem> {
  const { headers } = request;
  if (!isOfType(headers, "application/octet-stream")) return "content-type-refused";
  return (await bytesOf(request, MOST_BYTES)) ?? "file-too-large";
}

/** No form of another page can send it. */
function isOfType({ "content-type": type = "" }: IncomingHttpHeaders, one: string): boolean {
  return type.split(";", 1)[0]?.trim().toLowerCase() === one;
}

/** Undefined: there are too many. What is left is not kept. */
function bytesOf(request: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) chunks.push(chunk);
      else {
        chunks = [];
        resolve(undefined);
      }
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
  });
}
