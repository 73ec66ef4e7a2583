import {
  CloudFrontKeyValueStoreClient,
  DescribeKeyValueStoreCommand,
  paginateListKeys,
  UpdateKeysCommand,
} from "@aws-sdk/client-cloudfront-keyvaluestore";
// The service takes SigV4A only, and the client finds the signer once it is loaded.
import "@aws-sdk/signature-v4a";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import {
  type KeyValueChange,
  type KeyValueStore,
  type KeyValues,
  KVS_ARN,
  MOST_KEYS,
} from "../key-value-store.ts";
import { type Asked, failureOf } from "./sdk-errors.ts";
import { ATTEMPTS, retryStrategy, statusOf, TIME_OUTS } from "./sdk-retry.ts";

/** How often a listing is begun anew because the store changed under it. */
const READS = 5;

/**
 * A CloudFront KeyValueStore; region, credentials and endpoint come by the SDK's usual ways.
 *
 * A retried `update` whose first attempt had succeeded without an answer is told "stale": a caller
 * reads the store again and compares the values.
 *
 * @param signal ends every request; what was asked then throws the signal's reason.
 */
export function openKeyValueStore(arn: string, options: { signal: AbortSignal }): KeyValueStore {
  if (!KVS_ARN.test(arn)) {
    throw new UsageError(
      `"${arn}" is not the ARN of a KeyValueStore`,
      "it reads arn:aws:cloudfront::<12 digits>:key-value-store/<id>",
    );
  }
  const { signal } = options;
  const store = { KvsARN: arn };
  const client = new CloudFrontKeyValueStoreClient({
    retryStrategy: retryStrategy({ maxAttempts: ATTEMPTS, signal }),
    requestHandler: TIME_OUTS,
  });

  async function currentTag(): Promise<string> {
    const command = new DescribeKeyValueStoreCommand(store);
    const { ETag } = await client
      .send(command, { abortSignal: signal })
      .catch(failing(arn, "DescribeKeyValueStore", signal));
    if (ETag === undefined) throw withoutTag(arn);
    return ETag;
  }

  async function everyValue(): Promise<Map<string, string>> {
    const values = new Map<string, string>();
    // A copy, for the paginator leaves its token in what it is given.
    const asked = { ...store };
    const pages = paginateListKeys({ client, pageSize: MOST_KEYS }, asked, { abortSignal: signal });
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
      let before = await currentTag();
      for (let reads = 0; reads < READS; reads++) {
        const values = await everyValue();
        const after = await currentTag();
        if (after === before) return { etag: after, values };
        before = after;
      }
      throw new SvcError("kvs-busy", `the KeyValueStore ${arn} changes faster than it is read`, {
        hint: "run the command again once nobody else writes to it",
      });
    },

    async update(etag, change) {
      const command = new UpdateKeysCommand({ ...store, IfMatch: etag, ...requested(change) });
      try {
        const { ETag } = await client.send(command, { abortSignal: signal });
        if (ETag === undefined) throw withoutTag(arn);
        return { etag: ETag };
      } catch (error) {
        if (isStale(error)) return "stale";
        return failing(arn, "UpdateKeys", signal)(error);
      }
    },
  };
}

function requested({ puts = new Map(), deletes = [] }: KeyValueChange) {
  const count = puts.size + deletes.length;
  if (count > MOST_KEYS) throw new RangeError(`${count} keys in one update, of ${MOST_KEYS}`);
  return {
    Puts: [...puts].map(([Key, Value]) => ({ Key, Value })),
    Deletes: deletes.map((Key) => ({ Key })),
  };
}

/**
 * Whether the store's tag is another by now. The service documents ConflictException, and answers
 * with ValidationException: "Pre-Condition failed during update of Key-Value-Store".
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

/** What to do with a failed request to the store. */
function failing(arn: string, operation: string, signal: AbortSignal): (error: unknown) => never {
  const who = `the KeyValueStore ${arn}`;
  const asked: Asked = {
    who,
    action: `cloudfront-keyvaluestore:${operation}`,
    unavailable: "kvs-unavailable",
    refused: "kvs-refused",
    known: {
      ResourceNotFoundException: () =>
        new SvcError("kvs-not-found", `there is no KeyValueStore ${arn}`, {
          hint: "check the ARN: `aws cloudfront list-key-value-stores` shows them",
        }),
      ServiceQuotaExceededException: (told) =>
        new SvcError("kvs-quota", `${who} is full: ${told}`, {
          hint: "a store holds 5 MB, a key 512 bytes, a value 1 KB: remove keys that nothing reads",
        }),
    },
  };
  return (error) => {
    throw failureOf(error, asked, signal);
  };
}

function withoutTag(arn: string): SvcError {
  return new SvcError("kvs-refused", `the KeyValueStore ${arn} answers without an ETag`, {
    hint: "something between here and CloudFront removes headers: a proxy?",
  });
}
