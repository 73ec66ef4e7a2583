import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { Transform } from "node:stream";
import type { ObjectBody } from "../../deploy/object-store.ts";
import { SvcError } from "../../workspace/errors.ts";
import { sizeText } from "../output/deploy-lines.ts";
import type { Output } from "../output/output.ts";

/** S3's limit of one upload, in bytes. */
const MAX_BYTES = 5 * 1024 ** 3;

/**
 * What is uploaded of the copy of a store.
 *
 * @throws SvcError `store-too-large`, before a byte is read.
 */
export async function storeBody(
  copy: string,
  output: Pick<Output, "progress">,
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
