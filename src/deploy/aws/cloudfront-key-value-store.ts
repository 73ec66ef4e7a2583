import {
  CloudFrontKeyValueStoreClient,
  DescribeKeyValueStoreCommand,
  paginateListKeys,
  UpdateKeysCommand,
} from "@aws-sdk/client-cloudfront-keyvaluestore";
// The service requires SigV4A; the client finds the signer once it is loaded.
import "@aws-sdk/signature-v4a";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import {
  type KeyValueChange,
  type KeyValueStore,
  type KeyValues,
  KVS_ARN,
  MAX_KEYS,
} from "../key-value-store.ts";
import { type RequestContext, sdkFailure } from "./sdk-errors.ts";
import { ATTEMPTS, retryStrategy, statusOf, TIMEOUTS } from "./sdk-retry.ts";

/** Attempts to list all pages while the store does not change. */
const READS = 5;

/**
 * Opens a CloudFront KeyValueStore with the SDK's default region, credentials and endpoint.
 *
 * An `update` returns "stale" as well when it is retried after the response to a successful attempt
 * was lost: callers read the store again and compare the values.
 *
 * @param signal aborts all requests, which then throw its reason.
 */
export function openKeyValueStore(arn: string, options: { signal: AbortSignal }): KeyValueStore {
  if (!KVS_ARN.test(arn)) {
    throw new UsageError(
      `"${arn}" is not the ARN of a KeyValueStore`,
      "the format is arn:aws:cloudfront::<12 digits>:key-value-store/<id>",
    );
  }
  const { signal } = options;
  const store = { KvsARN: arn };
  const client = new CloudFrontKeyValueStoreClient({
    retryStrategy: retryStrategy({ maxAttempts: ATTEMPTS, signal }),
    requestHandler: TIMEOUTS,
  });

  async function currentEtag(): Promise<string> {
    const command = new DescribeKeyValueStoreCommand(store);
    const { ETag } = await client
      .send(command, { abortSignal: signal })
      .catch(failing(arn, "DescribeKeyValueStore", signal));
    if (ETag === undefined) throw missingEtag(arn);
    return ETag;
  }

  async function listValues(): Promise<Map<string, string>> {
    const values = new Map<string, string>();
    // A copy, since the paginator writes its token into its input.
    const input = { ...store };
    const pages = paginateListKeys({ client, pageSize: MAX_KEYS }, input, { abortSignal: signal });
    try {
      for await (const { Items } of pages) {
        for (const { Key, Value } of Items ?? []) {
          if (Key !== undefined) values.set(Key, Value ?? "");
        }
      }
    } catch (error) {
      return failing(arn, "ListKeys", signal)(error);
    }
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
      const command = new UpdateKeysCommand({ ...store, IfMatch: etag, ...inputOf(change) });
      try {
        const { ETag } = await client.send(command, { abortSignal: signal });
        if (ETag === undefined) throw missingEtag(arn);
        return { etag: ETag };
      } catch (error) {
        if (isStale(error)) return "stale";
        return failing(arn, "UpdateKeys", signal)(error);
      }
    },
  };
}

function inputOf({ puts = new Map(), deletes = [] }: KeyValueChange) {
  const count = puts.size + deletes.length;
  if (count > MAX_KEYS)
    throw new RangeError(`${count} keys in one update; the limit is ${MAX_KEYS}`);
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
  if (!(error instanceof Error)) return false;
  return (
    error.name === "ConflictException" ||
    statusOf(error) === 412 ||
    (error.name === "ValidationException" &&
      /pre-?condition|\betag\b|if-match/i.test(error.message))
  );
}

/** Returns a handler that throws an SvcError for a failed request. */
function failing(arn: string, operation: string, signal: AbortSignal): (error: unknown) => never {
  const service = `the KeyValueStore ${arn}`;
  const context: RequestContext = {
    service,
    action: `cloudfront-keyvaluestore:${operation}`,
    unavailable: "kvs-unavailable",
    refused: "kvs-refused",
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
  return (error) => {
    throw sdkFailure(error, context, signal);
  };
}

function missingEtag(arn: string): SvcError {
  return new SvcError("kvs-refused", `the response of the KeyValueStore ${arn} has no ETag`, {
    hint: "check for a proxy that removes headers of CloudFront",
  });
}
