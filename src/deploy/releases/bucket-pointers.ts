import { canonicalJson } from "../../documents/canonical-json.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonValue, parsedJson } from "../../workspace/json.ts";
import { assertFewKeys, type KeyValueStore } from "../key-value-store.ts";
import { type ObjectStore, type StoredObject, unchangedSince } from "../object-store.ts";
import { textBody } from "../published-folder.ts";
import { conditionsIgnored, honoursConditions } from "../refusals.ts";
import { UNCACHED_JSON } from "../upload.ts";
import { POINTERS } from "./keys.ts";

/** The object with all keys and values. */
interface Pointers {
  readonly values: Readonly<Record<string, string>>;
  /** The name of the store, once it was found to refuse writes whose condition does not hold. */
  readonly conditional?: string;
}

/**
 * L2a: pointers as one object of the bucket, changed by `If-Match`, in place of a CloudFront KeyValueStore.
 *
 * Its methods throw SvcError `pointers-invalid`, `conditional-writes-unsupported`, and what the store throws.
 */
export function bucketPointers(objects: ObjectStore): KeyValueStore {
  const arn = `${objects.name}/${POINTERS}`;
  const read = async () => {
    const stored = await objects.get(POINTERS);
    return { stored, ...pointersIn(stored, arn) };
  };
  return {
    arn,
    async read() {
      const { stored, values } = await read();
      return { etag: stored?.etag ?? "", values: new Map(Object.entries(values)) };
    },
    async update(etag, change) {
      assertFewKeys(change);
      const { stored, values: before, conditional } = await read();
      if ((stored?.etag ?? "") !== etag) return "stale";
      const values = new Map(Object.entries(before));
      for (const key of change.deletes ?? []) values.delete(key);
      for (const [key, value] of change.puts ?? []) values.set(key, value);
      const body = bodyOf({ values: Object.fromEntries(values), conditional: objects.name });
      const updated = await objects.put(
        POINTERS,
        body,
        UNCACHED_JSON,
        unchangedSince(stored?.etag),
      );
      if (updated === undefined) return "stale";
      if (conditional !== objects.name) await assertConditional(objects, stored);
      return { etag: updated };
    },
  };
}

/** Tries writes with conditions that do not hold; where they are ignored, takes all back. */
async function assertConditional(objects: ObjectStore, before: StoredObject | undefined) {
  const other = bodyOf({ values: {} });
  if (await honoursConditions(objects, POINTERS, other, UNCACHED_JSON)) return;
  if (before === undefined) await objects.delete([POINTERS]);
  else await objects.put(POINTERS, textBody(before.bytes.toString()), UNCACHED_JSON);
  throw conditionsIgnored(objects);
}

function bodyOf(pointers: Pointers) {
  return textBody(`${canonicalJson(pointers as unknown as JsonValue)}\n`);
}

/** L13: whoever may write to the bucket may have written it. */
function pointersIn(stored: StoredObject | undefined, where: string): Pointers {
  if (stored === undefined) return { values: {} };
  const pointers = parsedJson(stored.bytes.toString());
  const values = isJsonObject(pointers) ? pointers.values : undefined;
  if (isJsonObject(values) && Object.values(values).every((one) => typeof one === "string")) {
    return pointers as unknown as Pointers;
  }
  throw new SvcError("pointers-invalid", `${where} has no pointers of svc deploy`, {
    hint: "restore an earlier version of the object; or remove it, and deploy again",
  });
}
