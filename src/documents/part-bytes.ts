// The bytes of a stored part, and what is in them.

export function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

export function parse<T>(part: Uint8Array): T {
  return JSON.parse(Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString());
}

export function bytes(column: Int32Array | Uint16Array | Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

export function copy(part: Uint8Array): ArrayBuffer {
  return part.buffer.slice(part.byteOffset, part.byteOffset + part.byteLength) as ArrayBuffer;
}
