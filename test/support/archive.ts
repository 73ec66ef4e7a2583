import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** An entry of a tar archive; `type` as in its header: `0` a file, `2` a symbolic link, `x`, `L`. */
export interface ArchivedFile {
  readonly name: string;
  readonly text?: string;
  readonly type?: string;
}

/** The bytes of a `.tar.gz`, written from the description of the format, not by the reader's code. */
export function archiveOf(files: readonly ArchivedFile[], level?: number): Buffer {
  const records = files.map((file) => recordOf(file));
  return gzipSync(Buffer.concat([...records, Buffer.alloc(1024)]), { level });
}

/** The header and the contents of an entry. @param size what the header says about it, in bytes. */
export function recordOf(file: ArchivedFile, size?: number): Buffer {
  const { name, text = "", type = "0" } = file;
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write("0000644\0", 100);
  header.write(`${(size ?? bytes.length).toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\0", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const contents = Buffer.alloc(Math.ceil(bytes.length / 512) * 512);
  bytes.copy(contents);
  return Buffer.concat([header, contents]);
}

/** The header before an entry that says its path, of any length. */
export function pathHeader(path: string): ArchivedFile {
  const record = ` path=${path}\n`;
  let length = Buffer.byteLength(record);
  while (`${length}`.length + Buffer.byteLength(record) !== length) {
    length = `${length}`.length + Buffer.byteLength(record);
  }
  return { name: "pax", type: "x", text: `${length}${record}` };
}

/** Bytes that no compression shortens. */
export function noise(length: number): string {
  let text = "";
  for (let n = 0; text.length < length; n += 1) {
    text += createHash("sha256").update(`${n}`).digest("base64");
  }
  return text.slice(0, length);
}
