import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { Transform } from "node:stream";
import type { ObjectBody } from "../../deploy/object-store.ts";
import { textBody } from "../../deploy/published-folder.ts";
import { conditionsIgnored, honoursConditions } from "../../deploy/refusals.ts";
import { parseTarget } from "../../deploy/target.ts";
import { copyStore, markOf } from "../../store/copy-store.ts";
import { removeAbandoned, removeStore, temporaryStore } from "../../store/with-store.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { Remarks } from "../output/output.ts";
import { shellWord, sizeText } from "../output/words.ts";
import { type KeptStore, openKeptStore, remember, rememberedFile } from "../store/kept-store.ts";
import type { Run } from "../table/table.ts";

const HEADERS = { "Content-Type": "application/vnd.sqlite3", "Cache-Control": "no-store" };

export const storePush: Run<"store push"> = async (output, options) => {
  const { store: file, target } = options;
  const kept = await openKeptStore(options.address, options, output);
  if (target) assertNotServed(kept, target);
  const mark = markOf(file);
  const { address, remembered, objects, key } = kept;
  if (remembered?.mark === mark) {
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
    const mark = copyStore(file, copy);
    const body = await storeBody(copy, output);
    const { address, endpoint, objects, key, remembered } = kept;
    await assertConditional(kept);
    const condition =
      remembered === undefined ? ({ ifAbsent: true } as const) : { ifMatch: remembered.etag };
    const etag =
      (await objects.put(key, body, HEADERS, condition)) ??
      (await etagOrConflict(file, kept, body));
    remember(file, { address, endpoint, etag, mark });
    return { etag, bytes: body.size };
  } finally {
    removeStore(copy);
  }
}

/** R13: on an object beside it, since a store that ignores conditions replaces what it is tried on. */
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

/** S3's limit of one upload, in bytes. */
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
