import { SignatureV4a } from "@smithy/signature-v4a";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import {
  assertFewKeys,
  type KeyValueChange,
  type KeyValueStore,
  type KeyValues,
  KVS_ARN,
  KVS_ARN_FORMAT,
  MAX_KEYS,
} from "../key-value-store.ts";
import {
  type AwsResponse,
  AwsService,
  answerTooLarge,
  bytesOf,
  configuredEndpoint,
} from "./aws-service.ts";
import { AwsError, type RequestContext, request } from "./failures.ts";

/** L13: a store has 5 MB. */
const MAX_VALUES = 1_000_000;

/** Attempts to list all pages while the store does not change. */
const READS = 5;

/**
 * Opens a CloudFront KeyValueStore, with credentials as other AWS tools find them.
 *
 * An `update` returns "stale" as well when it is retried after the response to a successful attempt
 * was lost: callers read the store again and compare the values.
 *
 * @param signal aborts all requests, which then throw its reason.
 */
export function openKeyValueStore(arn: string, options: { signal: AbortSignal }): KeyValueStore {
  if (!KVS_ARN.test(arn)) {
    throw new UsageError(`"${arn}" is not the ARN of a KeyValueStore`, KVS_ARN_FORMAT);
  }
  const { signal } = options;
  const service = new AwsService({
    service: "cloudfront-keyvaluestore",
    place: () => placeOf(arn),
    Signer: SignatureV4a,
    concurrency: 1,
    signal,
  });
  const path = `/key-value-stores/${encodeURIComponent(arn)}`;
  const failing = (operation: string) => contextOf(arn, operation);

  async function currentEtag(): Promise<string> {
    return request(failing("DescribeKeyValueStore"), signal, async () => {
      const response = await service.send({ method: "GET", path });
      await response.body.dump();
      return etagOf(response, arn);
    });
  }

  async function listValues(): Promise<Map<string, string>> {
    const values = new Map<string, string>();
    let token: string | undefined;
    do {
      const query = {
        MaxResults: String(MAX_KEYS),
        ...(token !== undefined && { NextToken: token }),
      };
      const page = await request(failing("ListKeys"), signal, async () => {
        const response = await service.send({ method: "GET", path: `${path}/keys`, query });
        return JSON.parse((await bytesOf(response)).toString()) as Page;
      });
      for (const { Key, Value = "" } of page.Items ?? []) values.set(Key, Value);
      token = page.NextToken;
      if (values.size > MAX_VALUES) throw answerTooLarge(`${arn} has more than ${MAX_VALUES} keys`);
    } while (token !== undefined);
    return values;
  }

  return {
    arn,

    async read(): Promise<KeyValues> {
      let before = await currentEtag();
      for (let reads = 0; reads < READS; reads++) {
        const values = await listValues();
        const after = await currentEtag();
        if (after === before) return { etag: after, values };
        before = after;
      }
      throw new SvcError("kvs-busy", `the KeyValueStore ${arn} keeps changing while it is read`, {
        hint: "run the command again when no other process writes to it",
      });
    },

    async update(etag, change) {
      const body = JSON.stringify(inputOf(change));
      const headers = { "content-type": "application/json", "if-match": etag };
      return request(failing("UpdateKeys"), signal, async () => {
        try {
          const put = { method: "POST", path: `${path}/keys`, headers, body } as const;
          const response = await service.send(put);
          await response.body.dump();
          return { etag: etagOf(response, arn) };
        } catch (error) {
          if (isStale(error)) return "stale";
          throw error;
        }
      });
    },
  };
}

interface Page {
  readonly Items?: readonly { readonly Key: string; readonly Value?: string }[];
  readonly NextToken?: string;
}

/** Each account has a host of its own, and its signatures are for all regions. */
async function placeOf(arn: string) {
  const account = arn.split(":")[4];
  const endpoint = await configuredEndpoint("cloudfront_keyvaluestore");
  const origin = new URL(endpoint ?? "https://cloudfront-kvs.global.api.aws");
  origin.hostname = `${account}.${origin.hostname}`;
  return { region: "*", origin };
}

function etagOf({ headers }: AwsResponse, arn: string): string {
  const { etag } = headers;
  if (typeof etag === "string") return etag;
  throw new SvcError("kvs-refused", `the response of the KeyValueStore ${arn} has no ETag`, {
    hint: "check for a proxy that removes headers of CloudFront",
  });
}

function inputOf(change: KeyValueChange) {
  assertFewKeys(change);
  const { puts = new Map(), deletes = [] } = change;
  return {
    Puts: [...puts].map(([Key, Value]) => ({ Key, Value })),
    Deletes: deletes.map((Key) => ({ Key })),
  };
}

/**
 * Whether the ETag is out of date. The service documents ConflictException, but responds with
 * ValidationException: "Pre-Condition failed during update of Key-Value-Store".
 */
function isStale(error: unknown): boolean {
  if (!(error instanceof AwsError)) return false;
  return (
    error.name === "ConflictException" ||
    error.status === 412 ||
    (error.name === "ValidationException" &&
      /pre-?condition|\betag\b|if-match/i.test(error.message))
  );
}

function contextOf(arn: string, operation: string): RequestContext {
  const service = `the KeyValueStore ${arn}`;
  return {
    service,
    action: `cloudfront-keyvaluestore:${operation}`,
    unavailable: "kvs-unavailable",
    refused: "kvs-refused",
    // L14a: its signatures are of no region, and session tokens of version 1 are of some regions.
    credentialsHint:
      "check the access key, its session token and the clock of this machine; a session token must be valid in all regions (version 2): set AWS_STS_REGIONAL_ENDPOINTS=regional where it is made, or once for the account: aws iam set-security-token-service-preferences --global-endpoint-token-version v2Token",
    known: {
      ResourceNotFoundException: () =>
        new SvcError("kvs-not-found", `there is no KeyValueStore ${arn}`, {
          hint: "check the ARN: `aws cloudfront list-key-value-stores` lists them",
        }),
      ServiceQuotaExceededException: (message) =>
        new SvcError("kvs-quota", `${service} is full: ${message}`, {
          hint: "a store holds 5 MB, a key 512 bytes, a value 1 KB: remove unused keys",
        }),
    },
  };
}
