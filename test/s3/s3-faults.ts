import type { IncomingHttpHeaders } from "node:http";

/** A request to an S3 server. */
export interface S3Request {
  readonly method: string;
  /** Of bucket and key, decoded, without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * What the proxy does to a request: respond with a status and not forward it; cut the connection
 * before it is forwarded ("cut"), after it was carried out and before its response ("cut-late"), or
 * after this number of bytes of its body or of the response; or hold it for these milliseconds, or
 * until the promise resolves, and then forward it.
 */
export type Fault =
  | number
  | FaultResponse
  | "cut"
  | "cut-late"
  | { readonly cutBody: number }
  | { readonly cutResponse: number }
  | { readonly hold: number | Promise<unknown> }
  | undefined;

/** A response in place of the server's: an S3 error with this code, unless a body is given. */
export interface FaultResponse {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Rule = (request: S3Request) => Fault;

/** The fault for this number of matching requests. */
export function first(
  count: number,
  fault: Fault,
  matches: (request: S3Request) => boolean = () => true,
): Rule {
  let left = count;
  return (request) => {
    if (left === 0 || !matches(request)) return undefined;
    left -= 1;
    return fault;
  };
}

export const isPut = ({ method }: S3Request) => method === "PUT";

/** Whether a request is a write with If-Match or If-None-Match. */
export const isConditional = ({ method, headers }: S3Request) =>
  method === "PUT" && ("if-match" in headers || "if-none-match" in headers);

/** The response for a fault: an S3 error in the format of the service; a success has no body. */
export function responseFor(fault: number | FaultResponse): Required<FaultResponse> {
  const given = typeof fault === "number" ? { status: fault } : fault;
  const code = given.code ?? CODES[given.status] ?? "Error";
  const detail = `<Code>${code}</Code><Message>injected by the test</Message>`;
  const error = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${detail}<RequestId>1</RequestId></Error>`;
  const headers = { "Content-Type": "application/xml", ...given.headers };
  return { code, body: given.status < 300 ? "" : error, ...given, headers };
}

const CODES: Readonly<Record<number, string>> = {
  403: "AccessDenied",
  409: "ConditionalRequestConflict",
  412: "PreconditionFailed",
  500: "InternalError",
  501: "NotImplemented",
  503: "SlowDown",
};
