import { constants, zstdCompressSync } from "node:zlib";

/** A buffer of at least this size is not allocated from the shared pool. */
export const UNPOOLED = Buffer.poolSize;

/** zstd at its fastest level, in unpooled memory. */
export function compressed(bytes: Uint8Array): Buffer {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 };
  return zstdCompressSync(bytes, { params, chunkSize: Math.max(UNPOOLED, bytes.byteLength) });
}
