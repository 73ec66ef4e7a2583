import { SvcError } from "../../workspace/errors.ts";
import { type KeyValueStore, type KeyValues, MOST_KEYS } from "../key-value-store.ts";
import { POINTER } from "./keys.ts";
import type { Flip, KeyChange } from "./pointers.ts";

/** How often others may change other keys of the store in between. */
const ATTEMPTS = 20;

/**
 * Makes a plan true: at most 50 keys a call, and only while every key of the plan has the value
 * that it had when the plan was made (or has, since an answer was lost, the new one already).
 *
 * @param planned the state from which the plan was made.
 * @throws SvcError `deployed-meanwhile`, which says what is live now.
 */
export async function applyFlip(
  store: KeyValueStore,
  planned: KeyValues,
  flip: Flip,
): Promise<void> {
  let { etag } = planned;
  const rest = [...flip];
  for (let attempt = 0; rest.length > 0; ) {
    const batch = rest.slice(0, MOST_KEYS);
    const updated = await store.update(etag, changeOf(batch));
    if (updated !== "stale") {
      etag = updated.etag;
      rest.splice(0, batch.length);
      continue;
    }
    attempt += 1;
    const now = await store.read();
    refuseOther(now, flip, rest);
    if (attempt === ATTEMPTS) {
      throw new SvcError("kvs-busy", `others keep changing ${store.arn}: no update got through`, {
        hint: "run the same command again",
      });
    }
    // What an answer that was lost has done already need not be done again.
    if (batch.every(({ key, after }) => now.values.get(key) === after))
      rest.splice(0, batch.length);
    etag = now.etag;
  }
}

function changeOf(batch: readonly KeyChange[]) {
  const puts = new Map<string, string>();
  const deletes: string[] = [];
  for (const { key, after } of batch) {
    if (after === undefined) deletes.push(key);
    else puts.set(key, after);
  }
  return { puts, deletes };
}

/** Refuses when a key of a plan that was carried out has another value by now. */
export function refuseOvertaken(now: KeyValues, flip: Flip): void {
  refuseOther(now, flip, []);
}

/** Refuses when a key has a value that neither was there before nor is ours. */
function refuseOther({ values }: KeyValues, flip: Flip, rest: Flip): void {
  for (const change of flip) {
    const { key, before, after } = change;
    const value = values.get(key);
    if (value === after || (value === before && rest.includes(change))) continue;
    const what = key.startsWith(POINTER)
      ? `project "${key.slice(POINTER.length)}" is live from ${value ?? "nothing"} now`
      : "the log or the preview tokens are others now";
    throw new SvcError("deployed-meanwhile", `someone else deployed meanwhile: ${what}`, {
      hint: "see who is right, then run the same command again: it plans anew",
    });
  }
}
