import { existsSync, realpathSync } from "node:fs";
import { checkStore, markOf, replaceStore } from "../../store/copy-store.ts";
import { assertStoreName } from "../../store/open-database.ts";
import {
  giveFreeName,
  removeAbandoned,
  removeStore,
  temporaryStore,
} from "../../store/with-store.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { Remarks } from "../output/output.ts";
import { shellWord, sizeText } from "../output/words.ts";
import { type KeptStore, openKeptStore, remember } from "../store/kept-store.ts";
import type { Run } from "../table/table.ts";

export const storePull: Run<"store pull"> = async (output, options) => {
  const { store: file, discard = false } = options;
  assertStoreName(file);
  const kept = await openKeptStore(options.address, options, output);
  const { address, remembered, objects, key } = kept;
  const head = await objects.head(key);
  if (head === undefined) {
    // Unlike the response to HEAD, this one says whether there is a bucket.
    await objects.get(key);
    throw notThere(kept);
  }
  const mark = existsSync(file) ? markOf(file) : undefined;
  const isBehind = remembered?.etag !== head.etag || mark === undefined;
  if (!isBehind && (!discard || mark === remembered.mark)) {
    const { etag, size: bytes } = head;
    const ahead = mark === remembered.mark ? "" : ", and changes that were not pushed";
    const text = `${file} has what ${address} has${ahead}: nothing to pull`;
    output.result({ address, etag, bytes, pulled: false }, text);
    return;
  }
  if (mark !== undefined && !discard) assertUnchanged(file, kept, mark);
  const { etag, bytes } = await fetchStore(file, kept, output, discard);
  output.result(
    { address, etag, bytes, pulled: true },
    `${file}: ${sizeText(bytes)} from ${address}`,
  );
};

/** Downloads and checks the store beside the local one, and then replaces that. */
async function fetchStore(
  file: string,
  kept: KeptStore,
  output: Remarks,
  discard: boolean,
): Promise<{ etag: string; bytes: number }> {
  // A link may lead to another disk, and files are renamed on one disk only.
  const path = existsSync(file) ? realpathSync(file) : file;
  removeAbandoned(path);
  const temporary = temporaryStore(path);
  try {
    const { objects, key, address, endpoint } = kept;
    const object = await objects.download(key, temporary, (done, total) =>
      output.progress(done, total, "bytes received"),
    );
    if (object === undefined) throw notThere(kept);
    const mark = checked(temporary, address);
    if (existsSync(file)) {
      // R14: another process may have changed it during the download.
      const check = (now: string) => discard || assertUnchanged(file, kept, now);
      await replaceStore(file, temporary, check);
    } else {
      // What a store that was removed has left would be applied to the new one.
      removeStore(file);
      giveFreeName(temporary, file);
    }
    // After the store: without it a pull or push is refused, with that of another store it is not.
    remember(file, { address, endpoint, etag: object.etag, mark });
    return { etag: object.etag, bytes: object.size };
  } finally {
    removeStore(temporary);
  }
}

/** Checks a downloaded store; errors name its address. */
function checked(file: string, address: string): string {
  try {
    return checkStore(file);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message } = error;
    const says = message.replace(`at "${file}"`, "there").replace(`"${file}"`, "there");
    const isOurs = ["store-newer", "store-older", "disk-full"].includes(code);
    const hint = isOurs ? error.hint : "check the address; the local store is as it was";
    throw new SvcError(code, `${address} cannot be pulled: ${says}`, {
      ...(hint !== undefined && { hint }),
      cause: error,
    });
  }
}

function assertUnchanged(file: string, { address, remembered }: KeptStore, mark: string): void {
  if (remembered?.mark === mark) return;
  const what =
    remembered === undefined
      ? `was not pulled from ${address}`
      : `has changes that were not pushed to ${address}`;
  throw new SvcError("store-changed", `the store "${file}" ${what}`, {
    hint: `svc store push ${shellWord(address)} keeps them, if nobody else has pushed; --store <file> pulls into another file; --discard replaces the store`,
  });
}

function notThere({ address }: KeptStore): SvcError {
  return new SvcError("store-not-found", `there is no store at ${address}`, {
    hint: `check the address; svc store push ${shellWord(address)} puts the local store there`,
  });
}
