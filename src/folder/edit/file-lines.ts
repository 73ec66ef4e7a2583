import { crc32 } from "node:zlib";
import { SvcError } from "../../workspace/errors.ts";

/** W9: a longer line is changed in an editor: it would keep the preview from answering. */
const LONGEST = 16 * 1024 * 1024;
const [NEWLINE, RETURN] = [10, 13];
const MARK = Buffer.from("\ufeff");

/** H42f: a line of a file, in bytes; without what ends it, and without the byte order mark of the file. */
export interface Line {
  readonly at: number;
  /** With its CR, as that is white space of JSON. Undefined: it is too long. */
  readonly bytes: Buffer | undefined;
  /** How many bytes end the line before it, and itself. */
  readonly endBefore: number;
  readonly end: 0 | 1;
}

/**
 * The lines of a file that is read in chunks, with the last one if it has any byte; undefined between chunks. The
 * bytes of a line are those of its chunk: whoever keeps it takes a copy.
 */
export function* linesIn(chunks: Iterable<Buffer>): Generator<Line | undefined> {
  let [at, endBefore, length] = [0, 0, 0];
  let parts: Buffer[] = [];
  const line = (end: 0 | 1): Line => {
    const [first, second] = parts;
    const joined = first && second === undefined ? first : Buffer.concat(parts);
    const all = length > LONGEST ? undefined : joined;
    const mark = at === 0 && all?.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
    return { at: at + mark, bytes: all?.subarray(mark), endBefore, end };
  };
  const add = (part: Buffer) => {
    length += part.length;
    if (length <= LONGEST) parts.push(part);
    else parts = [];
  };
  for (const chunk of chunks) {
    yield undefined;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      const found = line(1);
      yield found;
      endBefore = found.bytes?.at(-1) === RETURN ? 2 : 1;
      at += length + 1;
      [parts, length, start] = [[], 0, end + 1];
    }
    add(Buffer.from(chunk.subarray(start)));
  }
  if (length > 0) yield line(0);
}

/** The bytes at a place of a file; once it was read or written, what all of the file is known by. */
export class FilePart {
  readonly at: number;
  readonly bytes: Buffer;
  whole: string | undefined;

  constructor(at: number, bytes: Buffer) {
    this.at = at;
    this.bytes = bytes;
  }
}

/** Of a file that other programs may change: its size and a checksum. */
export function wholeOf(chunks: Iterable<Buffer>): string {
  const sum = new Sum();
  for (const chunk of chunks) sum.add(chunk);
  return sum.text;
}

class Sum {
  #size = 0;
  #crc = 0;

  add<T extends Buffer>(bytes: T): T {
    this.#size += bytes.length;
    this.#crc = crc32(bytes, this.#crc);
    return bytes;
  }

  get text(): string {
    return `${this.#size} ${this.#crc}`;
  }
}

/**
 * The bytes of a file with another part in place of one.
 *
 * @throws SvcError `edit-conflict` where that is not the part, or the file is another one than it was.
 */
export function* spliced(
  file: string,
  chunks: Iterable<Buffer>,
  before: FilePart,
  after: FilePart,
): Generator<Buffer> {
  const [read, written] = [new Sum(), new Sum()];
  const [from, to] = [before.at, before.at + before.bytes.length];
  const replaced: Buffer[] = [];
  let [at, isPlaced] = [0, false];
  for (const chunk of chunks) {
    read.add(chunk);
    const cut = (start: number, end: number) =>
      chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
    if (at < from) yield written.add(cut(at, from));
    replaced.push(Buffer.from(cut(from, to)));
    const next = at + chunk.length;
    if (!isPlaced && next >= to) {
      yield written.add(after.bytes);
      isPlaced = true;
    }
    if (next > to) yield written.add(cut(to, next));
    at = next;
  }
  if (!isPlaced) yield written.add(after.bytes);
  const isSame = before.whole === undefined || before.whole === read.text;
  if (!isSame || !Buffer.concat(replaced).equals(before.bytes)) throw conflict(file);
  before.whole = read.text;
  after.whole = written.text;
}

export function conflict(file: string, why = "was changed meanwhile"): SvcError {
  return new SvcError("edit-conflict", `"${file}" ${why}`, {
    hint: "nothing was written: look at what it says now, then decide",
  });
}

export const copyOf = ({ bytes, ...line }: Line): Line => {
  return { ...line, bytes: bytes && Buffer.from(bytes) };
};

/** The part of a file that is removed with a line: without it the file has one line less. */
export function withEnds({ at, bytes = Buffer.alloc(0), endBefore, end }: Line): FilePart {
  if (end === 1) return new FilePart(at, Buffer.concat([bytes, Buffer.from("\n")]));
  const before = Buffer.from(["", "\n", "\r\n"][endBefore] ?? "");
  return new FilePart(at - before.length, Buffer.concat([before, bytes]));
}

/** What a line becomes with another one behind it; undefined: the file has none. */
export function lineAfter(line: Line | undefined, text: string) {
  const { at = 0, bytes = Buffer.alloc(0), endBefore = 0, end = 0 } = line ?? {};
  // The end of its line is kept as it is, with CR.
  const own = bytes.toString().trimEnd();
  const hasReturn = bytes.at(-1) === RETURN || (end === 0 && endBefore === 2);
  const eol = hasReturn ? "\r\n" : "\n";
  const isLast = end === 0 && bytes.length === Buffer.byteLength(own);
  const after = `${own}${own === "" ? "" : eol}${text}${isLast ? "\n" : ""}`;
  return {
    before: new FilePart(at, Buffer.from(own)),
    after: new FilePart(at, Buffer.from(after)),
  };
}
