import { SvcError } from "../../workspace/errors.ts";
import { type KeyValueStore, type KeyValues, MAX_KEYS } from "../key-value-store.ts";
import { POINTER } from "./keys.ts";
import type { KeyChange, PointerUpdate } from "./pointers.ts";

/** Writes that may fail because other keys of the store were changed concurrently. */
const ATTEMPTS = 20;

/**
 * Applies planned changes, at most 50 keys a call, as long as each key still has its `before` (or
 * already its `after`: the response to an earlier attempt may have been lost).
 *
 * @param planned the snapshot that was planned from.
 * @throws SvcError `deployed-meanwhile` with what is live now, `kvs-busy`.
 */
export async function applyPointerUpdate(
  store: KeyValueStore,
  planned: KeyValues,
  changes: PointerUpdate,
): Promise<void> {
  let { etag } = planned;
  const rest = [...changes];
  for (let attempt = 0; rest.length > 0; ) {
    const batch = rest.slice(0, MAX_KEYS);
    const updated = await store.update(etag, requestOf(batch));
    if (updated !== "stale") {
      etag = updated.etag;
      rest.splice(0, batch.length);
      continue;
    }
    attempt += 1;
    const now = await store.read();
    assertExpectedValues(now, changes, rest);
    if (attempt === ATTEMPTS) {
      throw new SvcError("kvs-busy", `others keep changing ${store.arn}: no update succeeded`, {
        hint: "run the same command again",
      });
    }
    // The batch was applied, but its response lost.
    if (batch.every(({ key, after }) => now.values.get(key) === after))
      rest.splice(0, batch.length);
    etag = now.etag;
  }
}

function requestOf(batch: readonly KeyChange[]) {
  const puts = new Map<string, string>();
  const deletes: string[] = [];
  for (const { key, after } of batch) {
    if (after === undefined) deletes.push(key);
    else puts.set(key, after);
  }
  return { puts, deletes };
}

/** @throws SvcError `deployed-meanwhile` when applied changes have been overwritten. */
export function assertNotOvertaken(now: KeyValues, applied: PointerUpdate): void {
  assertExpectedValues(now, applied, []);
}

/** @param pending the changes that are not applied yet. */
function assertExpectedValues(
  { values }: KeyValues,
  changes: PointerUpdate,
  pending: PointerUpdate,
): void {
  for (const change of changes) {
    const { key, before, after } = change;
    const value = values.get(key);
    if (value === after || (value === before && pending.includes(change))) continue;
    const what = key.startsWith(POINTER)
      ? `project "${key.slice(POINTER.length)}" is live from ${value ?? "nothing"} now`
      : "the log or the preview tokens have changed";
    throw new SvcError("deployed-meanwhile", `someone else deployed meanwhile: ${what}`, {
      hint: "decide which deploy is the right one, then run the same command again: it makes a new plan",
    });
  }
}
