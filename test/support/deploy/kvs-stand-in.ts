import { type Credentials, type SignedRequest, wrongV4a } from "./aws-signature.ts";
import { type Answer, CREDENTIALS, isForHost, type StandIn, startStandIn } from "./aws-stand-in.ts";
import "./localhost-names.ts";

const ACCOUNT = "123456789012";

/** The ARN of the only KeyValueStore. */
export const ARN = `arn:aws:cloudfront::${ACCOUNT}:key-value-store/0b5ad7b1-test`;

/** The error that reports a stale tag. */
export type StaleError = "ConflictException" | "ValidationException" | "PreconditionFailed";

export interface KvsStandIn extends StandIn {
  readonly arn: string;
  /** The stored values. */
  readonly values: ReadonlyMap<string, string>;
  /** A write by another program. */
  write(key: string, value: string): void;
  /** Operations that the credentials may not use. */
  readonly denied: Set<string>;
  staleError: StaleError;
  /** The error of every request, if there is one. */
  refusal: readonly [status: number, name: string, message: string] | undefined;
}

const STALE: Record<StaleError, [number, string]> = {
  ConflictException: [409, "The resource was modified by another request"],
  ValidationException: [400, "Pre-Condition failed during update of Key-Value-Store"],
  PreconditionFailed: [412, "The If-Match version is missing or not valid for the resource."],
};

/** CloudFront's limits: keys per update and per page; sizes in bytes. */
const LIMIT = { keys: 50, key: 512, value: 1_024, store: 5 * 1_024 * 1_024 };

/** CloudFront's KeyValueStore API with one store. */
export async function startKvs(
  options: { values?: Iterable<[string, string]>; credentials?: Credentials } = {},
): Promise<KvsStandIn> {
  const { credentials = CREDENTIALS } = options;
  let values = new Map(options.values);
  let version = 1;
  const tag = () => `ETAG${version}`;
  const denied = new Set<string>();

  const standIn = await startStandIn({
    variable: "AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE",
    credentials,
    operation: ({ method, target }) =>
      OPERATIONS[`${method} ${/\/keys(?=\?|$)/.exec(target) ?? ""}`],
    wrong: (request) =>
      isForHost(request.headers, ACCOUNT)
        ? wrongV4a(request, "cloudfront-keyvaluestore", credentials)
        : `unexpected host ${request.headers.host}`,
    error,
    carryOut(operation, request) {
      if (kvs.refusal !== undefined) return error(...kvs.refusal);
      if (denied.has(operation)) {
        const action = `cloudfront-keyvaluestore:${operation}`;
        const message = `User: arn:aws:iam::${ACCOUNT}:user/x is not authorized to perform: ${action}`;
        return error(403, "AccessDeniedException", message);
      }
      const arn = decodeURIComponent(request.target.split(/[/?]/)[2] ?? "");
      if (arn !== ARN) return error(404, "ResourceNotFoundException", "no such store");
      if (operation === "DescribeKeyValueStore") return described();
      return operation === "ListKeys" ? listed(request.target) : updated(request);
    },
  });

  function described(): Answer {
    const body = { ...sizes(values), KvsARN: ARN, Created: 1, LastModified: 2, Status: "READY" };
    return { status: 200, headers: { ETag: tag() }, body: JSON.stringify(body) };
  }

  function listed(target: string): Answer {
    const query = new URL(target, standIn.url).searchParams;
    const count = Number(query.get("MaxResults") ?? 10);
    if (!(count >= 1 && count <= LIMIT.keys))
      return error(400, "ValidationException", "MaxResults");
    const after = Buffer.from(query.get("NextToken") ?? "", "base64url").toString();
    const keys = [...values.keys()].sort().filter((key) => key > after);
    const page = keys.slice(0, count);
    const body = {
      Items: page.map((Key) => ({ Key, Value: values.get(Key) })),
      ...(keys.length > count && {
        NextToken: Buffer.from(page.at(-1) ?? "").toString("base64url"),
      }),
    };
    return { status: 200, body: JSON.stringify(body) };
  }

  function updated({ headers, body }: SignedRequest): Answer {
    const { Puts = [], Deletes = [] } = JSON.parse(body.toString()) as Update;
    const keys = [...Puts, ...Deletes].map(({ Key }) => Key);
    const invalid =
      keys.length < 1 || keys.length > LIMIT.keys
        ? `${keys.length} keys`
        : (keys.find((key) => key === "" || Buffer.byteLength(key) > LIMIT.key) ??
          Puts.find(({ Value }) => Buffer.byteLength(Value) > LIMIT.value)?.Key ??
          keys.find((key, at) => keys.indexOf(key) !== at));
    if (invalid !== undefined) return error(400, "ValidationException", `invalid: ${invalid}`);
    if (headers["if-match"] !== tag()) {
      const [status, message] = STALE[kvs.staleError];
      return error(status, kvs.staleError, message);
    }
    const next = new Map(values);
    for (const { Key } of Deletes) next.delete(Key);
    for (const { Key, Value } of Puts) next.set(Key, Value);
    if (sizes(next).TotalSizeInBytes > LIMIT.store) {
      return error(402, "ServiceQuotaExceededException", "the store would exceed 5 MB");
    }
    replaceValues(next);
    return { status: 200, headers: { ETag: tag() }, body: JSON.stringify(sizes(values)) };
  }

  /** An update without an effect does not change the tag. */
  function replaceValues(next: Map<string, string>): void {
    if (JSON.stringify([...next].sort()) !== JSON.stringify([...values].sort())) version++;
    values = next;
  }

  const kvs: KvsStandIn = Object.defineProperties(standIn as KvsStandIn, {
    arn: { value: ARN },
    denied: { value: denied },
    staleError: { value: "ValidationException", writable: true },
    refusal: { value: undefined, writable: true },
    write: {
      value: (key: string, value: string) => replaceValues(new Map(values).set(key, value)),
    },
    values: { get: () => values },
  });
  return kvs;
}

interface Update {
  readonly Puts?: readonly { Key: string; Value: string }[];
  readonly Deletes?: readonly { Key: string }[];
}

const OPERATIONS: Record<string, string> = {
  "GET ": "DescribeKeyValueStore",
  "GET /keys": "ListKeys",
  "POST /keys": "UpdateKeys",
};

function sizes(values: ReadonlyMap<string, string>) {
  const bytes = [...values].map(([key, value]) => Buffer.byteLength(key + value));
  return { ItemCount: values.size, TotalSizeInBytes: bytes.reduce((sum, size) => sum + size, 0) };
}

function error(status: number, name: string, Message: string): Answer {
  return { status, headers: { "x-amzn-errortype": name }, body: JSON.stringify({ Message }) };
}
