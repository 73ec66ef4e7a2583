import { crc32, deflateSync } from "node:zlib";

/** A picture in one color, as each decoder takes it; another `shade` makes other bytes. */
export function png(width = 4, height = 3, shade = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.alloc(width + 1, shade).fill(0, 0, 1);
  const rows = Buffer.concat(Array.from({ length: Math.min(height, 1000) }, () => row));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    ...[chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))],
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The beginning of a photograph as phones take it. */
export const HEIC = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");

/** The beginning of a JPEG with these measures. */
export function jpeg(width = 4, height = 3): Buffer {
  const frame = Buffer.from("ffc0001108000000000301220002110103110100", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from("ffd8ffe000104a46494600010101004800480000", "hex"), frame]);
}

export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="8"/>';
