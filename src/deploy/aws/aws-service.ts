import { createHash, createHmac } from "node:crypto";
import type { Readable } from "node:stream";
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import {
  loadConfig,
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
} from "@smithy/core/config";
import { SignatureV4 } from "@smithy/signature-v4";
import type { SignatureV4a } from "@smithy/signature-v4a";
import { Agent, buildConnector } from "undici";
import { SvcError } from "../../workspace/errors.ts";
import { parsedJson } from "../../workspace/json.ts";
import { AwsError, type ResponseHeaders } from "./failures.ts";
import { elementsOf, textOf } from "./xml.ts";

export interface AwsRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | Readable;
  /** Of the body, in lower-case hex: required for a stream. A service refuses other bytes. */
  readonly sha256?: string;
  /** Called when it is signed; what it throws ends the request. */
  readonly beforeSend?: () => void;
}

/** A response with a status below 300. */
export interface AwsResponse {
  readonly headers: ResponseHeaders;
  /** Must be read. */
  readonly body: Readable & { dump(): Promise<void> };
}

/** Where the requests of a service go to. */
export interface Place {
  /** In signatures. */
  readonly region: string;
  /** It may have a path. */
  readonly origin: URL;
}

export interface ServiceOptions {
  /** The name in signatures. */
  readonly service: string;
  readonly place: () => Promise<Place>;
  /** Services with a signature for all regions have their own. */
  readonly Signer?: typeof SignatureV4 | typeof SignatureV4a;
  /** Those that other AWS tools find, unless they are given. */
  readonly credentials?: ConstructorParameters<typeof SignatureV4>[0]["credentials"];
  /** Maximum connections. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** Milliseconds: to connect, and without traffic on a connection. */
const CONNECT_TIMEOUT = 5_000;
const SOCKET_TIMEOUT = 30_000;

/** Sends signed requests to a service of AWS, or one like it, over one pool of connections. */
export class AwsService {
  readonly #options: ServiceOptions;
  readonly #pool: Agent;
  readonly #signer: Pick<SignatureV4, "sign">;
  #place: Promise<Place> | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const { service, concurrency, Signer = SignatureV4, credentials = defaultProvider() } = options;
    this.#pool = new Agent({
      connections: concurrency,
      // The timeout of the socket is for both directions.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: connector(),
    });
    this.#signer = new Signer({
      service,
      region: async () => (await this.place()).region,
      credentials,
      sha256: Sha256,
      // S3 alone has no second encoding of paths in its signatures.
      uriEscapePath: service !== "s3",
    }) as SignatureV4;
  }

  place(): Promise<Place> {
    this.#place ??= this.#options.place();
    return this.#place;
  }

  moveTo(place: Place): void {
    this.#place = Promise.resolve(place);
  }

  /**
   * Sends a request once.
   *
   * @throws AwsError for a status from 300, and errors of the network.
   */
  async send(request: AwsRequest): Promise<AwsResponse> {
    const { method, query = {}, body } = request;
    const { signal } = this.#options;
    const { protocol, host, hostname, pathname } = (await this.place()).origin;
    const path = `${pathname.replace(/\/$/, "")}${request.path}`;
    const signed = await this.#signer.sign({
      method,
      protocol,
      hostname,
      path,
      query,
      headers: { host, ...request.headers, "x-amz-content-sha256": hashOf(request) },
    });
    request.beforeSend?.();
    const search = Object.entries(query).map((pair) => pair.map(percentEncoded).join("="));
    const response = await this.#pool.request({
      method,
      origin: `${protocol}//${host}`,
      path: search.length === 0 ? path : `${path}?${search.join("&")}`,
      headers: signed.headers,
      body: body ?? null,
      signal,
    });
    const { statusCode, headers } = response;
    if (statusCode >= 300) {
      const said = await bytesUpTo(response.body, MAX_ERROR);
      throw errorOf(statusCode, headers, said.toString());
    }
    return { headers, body: response.body };
  }
}

/** In bytes: L13. A page of a listing has a thousand keys of up to 1 kB, percent-encoded. */
const MAX_ERROR = 64 * 1024;
const MAX_PAGE = 16 * 1024 * 1024;

/** The bytes of a response, cut off soon after `most` of them. */
async function bytesUpTo(body: Readable, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  // Without a listener, a response that is left early would end the process.
  body.on("error", () => {});
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size > most) break;
  }
  return Buffer.concat(pieces);
}

/**
 * The bytes of a response.
 *
 * @throws SvcError `answer-too-large`: nobody but an attacker sends more than `most`.
 */
export async function bytesOf({ body }: AwsResponse, most = MAX_PAGE): Promise<Buffer> {
  const bytes = await bytesUpTo(body, most);
  if (bytes.length <= most) return bytes;
  throw answerTooLarge(`a response has more than ${most >> 20} MiB`);
}

export function answerTooLarge(what: string): SvcError {
  return new SvcError("answer-too-large", `${what}, so it was not read`, {
    hint: "check the target and the endpoint: what is there was not made by svc",
  });
}

function connector(): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT });
  return (options, callback) =>
    connect(options, (...connected) => {
      const [, socket] = connected;
      socket?.setTimeout(SOCKET_TIMEOUT, () => {
        const message = `no traffic for ${SOCKET_TIMEOUT / 1000} seconds`;
        socket.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
      });
      callback(...connected);
    });
}

function hashOf({ body = "", sha256 }: AwsRequest): string {
  if (sha256 !== undefined) return sha256;
  return createHash("sha256")
    .update(body as string | Buffer)
    .digest("hex");
}

/** Node's hashes, as the signer wants them. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHmac | typeof createHash>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash("sha256") : createHmac("sha256", secret as string);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error("a hash is used once");
  }
}

/** S3 and CloudFront describe an error in XML, the KeyValueStore in a header and JSON. */
function errorOf(status: number, headers: ResponseHeaders, body: string): AwsError {
  const [type] = String(headers["x-amzn-errortype"] ?? "").split(":");
  if (type) return new AwsError(type, messageOf(body), status, headers);
  const [error = ""] = elementsOf(body, "Error");
  const name = textOf(error, "Code") || "Unknown";
  return new AwsError(name, textOf(error, "Message") || "UnknownError", status, headers);
}

function messageOf(body: string): string {
  const { message, Message } = Object(parsedJson(body));
  return String(message ?? Message ?? "");
}

/** Encodes what encodeURIComponent leaves, too. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The region as other AWS tools find it, else `fallback`, without which it is required. */
export function configuredRegion(fallback?: string): Promise<string> {
  const selectors = {
    ...NODE_REGION_CONFIG_OPTIONS,
    ...(fallback !== undefined && { default: fallback }),
  };
  return loadConfig(selectors, NODE_REGION_CONFIG_FILE_OPTIONS)();
}

/**
 * The endpoint of a service (its name in lower case) from the environment or the profile, as other
 * AWS tools find it.
 */
export function configuredEndpoint(service: string): Promise<string | undefined> {
  return loadConfig<string | undefined>({
    environmentVariableSelector: (env) =>
      env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`] || env.AWS_ENDPOINT_URL || undefined,
    configFileSelector: (profile, config) =>
      config?.[`services.${profile.services}`]?.[`${service}.endpoint_url`] ?? profile.endpoint_url,
    default: undefined,
  })();
}
