import { constants, zstdCompressSync } from "node:zlib";

/** A buffer of so many bytes has memory of its own. */
export const UNPOOLED = Buffer.poolSize;

/** zstd, as fast as it can, in one piece of memory of its own. */
export function compressed(bytes: Uint8Array): Buffer {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 };
  return zstdCompressSync(bytes, { params, chunkSize: Math.max(UNPOOLED, bytes.byteLength) });
}
