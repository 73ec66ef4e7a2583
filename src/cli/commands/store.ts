import { createHash } from "node:crypto";
import { createReadStream, existsSync, realpathSync, statSync } from "node:fs";
import { Transform } from "node:stream";
import { type ObjectBody, type ObjectStore, unchangedSince } from "../../deploy/object-store.ts";
import { textBody } from "../../deploy/published-folder.ts";
import { conditionsIgnored, honoursConditions } from "../../deploy/refusals.ts";
import {
  type ObjectAddress,
  parseObjectAddress,
  parseTarget,
  targetName,
} from "../../deploy/target.ts";
import { readIfFile, replaceFile } from "../../files/replace-file.ts";
import { checkStore, contentHash, copyStore, replaceStore } from "../../store/copy-store.ts";
import { assertStoreName, PRIVATE } from "../../store/open-database.ts";
import {
  giveFreeName,
  removeAbandoned,
  removeStore,
  temporaryStore,
} from "../../store/with-store.ts";
import { SvcError } from "../../workspace/errors.ts";
import { parsedJson } from "../../workspace/json.ts";
import { sizeText } from "../../workspace/listed.ts";
import { openDeployContext } from "../deploy/deploy-options.ts";
import type { Remarks } from "../output/output.ts";
import { shellWord } from "../output/words.ts";
import type { Options, Run } from "../table/table.ts";

/** The object that a team keeps its store in. */
interface KeptStore extends ObjectAddress {
  /** `s3://bucket/key`. */
  readonly address: string;
  /** Of a store other than AWS; null for AWS. */
  readonly endpoint: string | null;
  readonly objects: ObjectStore;
  /** The ETag, and the content hash of the store, when it was pulled or pushed last. */
  readonly remembered: { readonly etag: string; readonly mark: string } | undefined;
}

/** @throws UsageError for an address that is none. */
async function openKeptStore(
  { address, ...options }: Options<"store pull" | "store push">,
  output: Remarks,
): Promise<KeptStore> {
  const object = parseObjectAddress(address);
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const endpoint = options.endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL ?? null;
  const bucket = { ...options, concurrency: 1 };
  const { objects } = await openDeployContext(targetName(object.folder), bucket, output);
  const remembered = readRemembered(options.store, address, endpoint);
  return { ...object, address, endpoint, objects, remembered };
}

/** R13b: the file beside a store that has it: pulls and pushes change no byte of the store. */
function rememberedFile(store: string): string {
  return `${store}-remote`;
}

function readRemembered(store: string, address: string, endpoint: string | null) {
  const copy = Object(parsedJson(readIfFile(rememberedFile(store)) ?? ""));
  const isOfIt = copy.address === address && (copy.endpoint ?? null) === endpoint;
  const isWhole = isOfIt && typeof copy.etag === "string" && typeof copy.mark === "string";
  // A store without it is pushed only where there is none.
  return isWhole ? copy : undefined;
}

function remember(store: string, { address, endpoint }: KeptStore, etag: string, hash: string) {
  const copy = { address, endpoint, etag, mark: hash };
  replaceFile(rememberedFile(store), `${JSON.stringify(copy)}\n`, PRIVATE);
}

export const storePull: Run<"store pull"> = async (output, options) => {
  const { store: file, discard = false } = options;
  assertStoreName(file);
  const kept = await openKeptStore(options, output);
  const { address, remembered, objects, key } = kept;
  const head = await objects.head(key);
  if (head === undefined) {
    // Unlike the response to HEAD, this one says whether there is a bucket.
    await objects.get(key);
    throw notThere(kept);
  }
  const hash = existsSync(file) ? contentHash(file) : undefined;
  const isBehind = remembered?.etag !== head.etag || hash === undefined;
  if (!isBehind && (!discard || hash === remembered.mark)) {
    const { etag, size: bytes } = head;
    const ahead = hash === remembered.mark ? "" : ", and changes that were not pushed";
    const text = `${file} has what ${address} has${ahead}: nothing to pull`;
    output.result({ address, etag, bytes, pulled: false }, text);
    return;
  }
  if (hash !== undefined && !discard) assertUnchanged(file, kept, hash);
  const { etag, bytes } = await fetchStore(file, kept, output, discard);
  output.result(
    { address, etag, bytes, pulled: true },
    `${file}: ${sizeText(bytes)} from ${address}`,
  );
};

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
    const { objects, key, address } = kept;
    const object = await objects.download(key, temporary, (done, total) =>
      output.progress(done, total, "bytes received"),
    );
    if (object === undefined) throw notThere(kept);
    const hash = checked(temporary, address);
    if (existsSync(file)) {
      // R14a: another process may have changed it during the download.
      const check = (now: string) => discard || assertUnchanged(file, kept, now);
      await replaceStore(file, temporary, check);
    } else {
      // What a store that was removed has left would be applied to the new one.
      removeStore(file);
      giveFreeName(temporary, file);
    }
    // After the store: without it a pull or push is refused, with that of another store it is not.
    remember(file, kept, object.etag, hash);
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

function assertUnchanged(file: string, { address, remembered }: KeptStore, hash: string): void {
  if (remembered?.mark === hash) return;
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

const HEADERS = { "Content-Type": "application/vnd.sqlite3", "Cache-Control": "no-store" };

export const storePush: Run<"store push"> = async (output, options) => {
  const { store: file, target } = options;
  const kept = await openKeptStore(options, output);
  if (target) assertNotServed(kept, target);
  const hash = contentHash(file);
  const { address, remembered, objects, key } = kept;
  if (remembered?.mark === hash) {
    const head = await objects.head(key);
    if (head?.etag === remembered.etag) {
      const { etag, size: bytes } = head;
      const text = `${address} has what ${file} has: nothing to push`;
      output.result({ address, etag, bytes, pushed: false }, text);
      return;
    }
  }
  const { etag, bytes } = await sendStore(file, kept, output);
  output.result(
    { address, etag, bytes, pushed: true },
    `${address}: ${sizeText(bytes)} from ${file}`,
  );
};

async function sendStore(
  file: string,
  kept: KeptStore,
  output: Remarks,
): Promise<{ etag: string; bytes: number }> {
  removeAbandoned(file);
  const copy = temporaryStore(file);
  try {
    output.note(`copying ${file}`);
    const hash = copyStore(file, copy);
    const body = await storeBody(copy, output);
    const { objects, key, remembered } = kept;
    await assertConditional(kept);
    const condition = unchangedSince(remembered?.etag);
    const etag =
      (await objects.put(key, body, HEADERS, condition)) ??
      (await etagOrConflict(file, kept, body));
    remember(file, kept, etag, hash);
    return { etag, bytes: body.size };
  } finally {
    removeStore(copy);
  }
}

/** R13a: on an object beside it, since a store that ignores conditions replaces what it is tried on. */
async function assertConditional({ objects, key }: KeptStore): Promise<void> {
  const probe = `${key}.conditions`;
  const body = textBody("svc tries here whether writes with conditions are refused.\n");
  const headers = { "Content-Type": "text/plain" };
  await objects.put(probe, body, headers, { ifAbsent: true });
  if (!(await honoursConditions(objects, probe, body, headers))) throw conditionsIgnored(objects);
}

/** The ETag of an object that has our bytes: an earlier push was killed after its upload. */
async function etagOrConflict(file: string, kept: KeptStore, body: ObjectBody): Promise<string> {
  const { objects, key, address, remembered } = kept;
  const head = await objects.head(key);
  if (head?.sha256 === body.sha256) return head.etag;
  const [what, hint] =
    head === undefined
      ? [
          `${address} was removed since the store "${file}" was pulled or pushed`,
          `remove ${shellWord(rememberedFile(file))} and push again, if it shall be there`,
        ]
      : [
          remembered === undefined
            ? `there is a store at ${address}, and the store "${file}" was not pulled from there`
            : `somebody else has pushed to ${address} since the store "${file}" was pulled or pushed`,
          "nothing is lost, both are as they were: svc store pull " +
            `${shellWord(address)} --discard replaces the local one (with --store <file>, beside it); repeat your change there, and push again`,
        ];
  throw new SvcError("store-conflict", what, { hint });
}

function assertNotServed({ address }: KeptStore, target: string): void {
  const { bucket, prefix } = parseTarget(target);
  if (!address.startsWith(`s3://${bucket}/${prefix}`)) return;
  throw new SvcError("store-served", `${address} is where svc deploy puts what everyone may read`, {
    hint: `a store has drafts and hashes of tokens: keep it in a private bucket, not in ${target}`,
  });
}

/** S3's limit of one upload, in bytes (R13). */
const MAX_BYTES = 5 * 1024 ** 3;

/**
 * What is uploaded of the copy of a store.
 *
 * @throws SvcError `store-too-large`, before a byte is read.
 */
export async function storeBody(
  copy: string,
  output: Pick<Remarks, "progress">,
): Promise<ObjectBody> {
  const { size } = statSync(copy);
  if (size > MAX_BYTES) throw tooLarge(size);
  const hash = createHash("sha256");
  for await (const piece of createReadStream(copy)) hash.update(piece);
  const bytes = () => {
    let done = 0;
    const counted = new Transform({
      transform(piece: Buffer, _, next) {
        done += piece.length;
        output.progress(done, size, "bytes sent");
        next(null, piece);
      },
    });
    return createReadStream(copy).pipe(counted);
  };
  return { bytes, size, sha256: hash.digest("hex") };
}

function tooLarge(size: number): SvcError {
  return new SvcError(
    "store-too-large",
    `the store has ${sizeText(size)}, and one upload at most ${sizeText(MAX_BYTES)}`,
    {
      hint: "svc publish --keep <n> keeps fewer versions",
    },
  );
}
