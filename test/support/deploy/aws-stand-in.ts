import { createServer, type IncomingHttpHeaders } from "node:http";
import { devNull } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished, vi } from "vitest";
import { PROGRAM } from "../program.ts";
import { listening } from "../server/listening.ts";
import type { Credentials, SignedRequest } from "./aws-signature.ts";

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * What happens to the next request: it gets this status; the connection is cut before ("cut") or
 * after ("cut-late") it is carried out; or it is handled normally ("none").
 */
type Fault =
  | number
  | { readonly status: number; readonly name: string }
  | "cut"
  | "cut-late"
  | "none";

/** A local stand-in for a service of AWS, until the test ends. */
export interface StandIn {
  /** With localhost as host name, no final slash. */
  readonly url: string;
  /** The environment of a client process: endpoint, credentials, and no other source of them. */
  readonly env: Readonly<Record<string, string>>;
  /** The requested operations, in order. */
  readonly operations: string[];
  /** For the next requests, one each. */
  readonly faults: Fault[];
  /** Called when an operation was carried out, before its response. */
  onOperation: (operation: string) => void;
}

export interface Service {
  /** The environment variable that names the endpoint. */
  readonly variable: string;
  readonly credentials: Credentials;
  /** The operation of a request; undefined when there is none. */
  operation(request: SignedRequest): string | undefined;
  /** What is wrong with its signature. */
  wrong(request: SignedRequest): string | undefined;
  carryOut(operation: string, request: SignedRequest): Answer;
  /** An error response in the service's format. */
  error(status: number, name: string, message: string): Answer;
}

/** The credentials of test stores. */
export const CREDENTIALS: Credentials = { accessKeyId: "test", secretAccessKey: "testtest" };

/** An environment with credentials and no other source of them. */
export function credentialsEnv({ accessKeyId, secretAccessKey }: Credentials) {
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_REGION: "us-east-1",
    ...NO_CREDENTIALS,
  };
}

/** Sets the environment of a stand-in, without other AWS settings, until the test ends. */
export function useEnv(env: Readonly<Record<string, string | undefined>>): void {
  const { NODE_OPTIONS: _preload, ...variables } = env;
  const other = { AWS_SESSION_TOKEN: undefined, AWS_PROFILE: undefined };
  for (const [name, value] of Object.entries({ ...other, ...variables })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** An environment without credentials, which are not looked up in the network either. */
export const NO_CREDENTIALS = {
  AWS_EC2_METADATA_DISABLED: "true",
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
};

export async function startStandIn(service: Service): Promise<StandIn> {
  const operations: string[] = [];
  const faults: Fault[] = [];

  function answer(request: SignedRequest): Answer {
    const operation = service.operation(request);
    if (operation === undefined) return service.error(404, "UnknownOperation", request.target);
    operations.push(operation);
    const wrong = service.wrong(request);
    if (wrong !== undefined) {
      // The real message contains the request's headers too, among them a session token.
      const token = request.headers["x-amz-security-token"];
      const message = `The signature does not match: ${wrong}\n\nx-amz-security-token:${token}`;
      return service.error(403, "InvalidSignatureException", message);
    }
    const response = service.carryOut(operation, request);
    standIn.onOperation(operation);
    return response;
  }

  const server = createServer(async (incoming, outgoing) => {
    const { method = "", url: target = "", headers } = incoming;
    const request = {
      method,
      target,
      headers,
      body: Buffer.concat(await incoming.toArray()),
    };
    const fault = faults.shift() ?? "none";
    if (fault === "cut") return void incoming.socket.destroy();
    const { status, headers: own, body } = injected(fault) ?? answer(request);
    if (fault === "cut-late") return void incoming.socket.destroy();
    outgoing.writeHead(status, { "x-amzn-requestid": "1-2-3", ...own }).end(body);
  });

  function injected(fault: Fault): Answer | undefined {
    if (typeof fault === "string") return undefined;
    if (typeof fault === "number") return { status: fault, body: "<html>busy</html>" };
    return service.error(fault.status, fault.name, "injected by the test");
  }

  const url = (await listening(server)).replace("127.0.0.1", "localhost");
  // As built: Node takes as long to strip its types as to start.
  const preload = pathToFileURL(join(PROGRAM, "../localhost-names.js"));
  const standIn: StandIn = {
    url,
    env: {
      [service.variable]: url,
      ...credentialsEnv(service.credentials),
      NODE_OPTIONS: `--import=${preload}`,
    },
    operations,
    faults,
    onOperation: () => {},
  };
  return standIn;
}

/** Whether a request is for a host name below localhost with this first label. */
export function isForHost(headers: IncomingHttpHeaders, label: string): boolean {
  return new RegExp(`^${label}\\.localhost:\\d+$`).test(headers.host ?? "");
}
