import type { IncomingHttpHeaders } from "node:http";
import { Random } from "../support/workspaces/random.ts";

/** A request to an S3 server. */
export interface Asked {
  readonly method: string;
  /** Of bucket and key, decoded, without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * What becomes of a request instead of its answer: a status is answered, and the request goes
 * nowhere; it is cut before anything happened, or when it has been carried out and only its answer
 * is lost, or after so many bytes of its body or of the answer's; it is held for so many
 * milliseconds or until then, and passes.
 */
export type Fault =
  | number
  | Answered
  | "cut"
  | "cut-late"
  | { readonly cutBody: number }
  | { readonly cutAnswer: number }
  | { readonly hold: number | Promise<unknown> }
  | undefined;

/** An answer: an error with this code, unless it has another body. */
export interface Answered {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Rule = (request: Asked) => Fault;

/** The fault for the first requests that are meant, so many of them. */
export function first(
  count: number,
  fault: Fault,
  meant: (request: Asked) => boolean = () => true,
): Rule {
  let left = count;
  return (request) => {
    if (left === 0 || !meant(request)) return undefined;
    left -= 1;
    return fault;
  };
}

/** One of the faults, with a probability; the same seed draws the same row of them. */
export function sometimes(probability: number, seed: number, faults: readonly Fault[]): Rule {
  const random = new Random(seed);
  return () => (random.chance(probability) ? random.pick(faults) : undefined);
}

export const isPut = ({ method }: Asked) => method === "PUT";

/** Of a write with If-Match or If-None-Match. */
export const isConditional = ({ method, headers }: Asked) =>
  method === "PUT" && ("if-match" in headers || "if-none-match" in headers);

/** What is answered for a fault: an S3 error as the service words it; success says nothing. */
export function answerFor(fault: number | Answered): Required<Answered> {
  const given = typeof fault === "number" ? { status: fault } : fault;
  const code = given.code ?? CODES[given.status] ?? "Error";
  const told = `<Code>${code}</Code><Message>as the test has it</Message>`;
  const error = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${told}<RequestId>1</RequestId></Error>`;
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
