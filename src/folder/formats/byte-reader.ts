import { closeSync, openSync, readSync } from "node:fs";
import { MAXIMUM_NESTING, TOO_DEEP } from "../json-losses.ts";

/** A text that is no JSON object; `offset` is that of the byte where it stops being one. */
export class StreamFault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

export const BYTE = {
  ...{ '"': 0x22, "\\": 0x5c, ",": 0x2c, ":": 0x3a },
  ...{ "[": 0x5b, "]": 0x5d, "{": 0x7b, "}": 0x7d },
};

const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** In bytes. */
const CHUNK = 1024 * 1024;

/** Reads a file chunk by chunk. `at` is the position in the current chunk. */
export class ByteReader {
  at = 0;
  readonly #descriptor: number;
  readonly #buffer: Buffer;
  #chunk: Buffer = Buffer.alloc(0);
  /** The offset of the chunk in the file. */
  #start = 0;
  /** What precedes the chunk of the value that is being read; undefined: it is skipped. */
  #before: Buffer[] | undefined;
  #from = 0;

  constructor(path: string, chunkSize = CHUNK) {
    this.#descriptor = openSync(path, "r");
    this.#buffer = Buffer.allocUnsafeSlow(chunkSize);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  get offset(): number {
    return this.#start + this.at;
  }

  fault(message: string): StreamFault {
    return new StreamFault(this.offset, this.at < this.#chunk.length ? message : ENDS_EARLY);
  }

  skipByteOrderMark(): void {
    if (this.next() !== 0xef) return;
    for (let byte = 0; byte < 3 && this.next() !== undefined; byte += 1) this.at += 1;
  }

  /** The next byte that is not white space, where `at` is then; undefined: the end of the file. */
  next(): number | undefined {
    for (;;) {
      for (; this.at < this.#chunk.length; this.at += 1) {
        const byte = this.#chunk[this.at] as number;
        if (!isSpace(byte)) return byte;
      }
      if (!this.#more()) return undefined;
    }
  }

  /** Skips a comma, or `end`. Returns whether it was a comma. */
  separator(end: number): boolean {
    const byte = this.next();
    if (byte !== BYTE[","] && byte !== end) {
      throw this.fault(`',' or '${String.fromCharCode(end)}' expected`);
    }
    this.at += 1;
    return byte === BYTE[","];
  }

  /**
   * Reads a value from `at` on; returns its bytes if they are wanted.
   *
   * @param depth how many objects and lists it is in.
   */
  value(isWanted: boolean, depth: number): Buffer | undefined {
    this.#before = isWanted ? [] : undefined;
    this.#from = this.at;
    const first = this.#chunk[this.at];
    if (first === BYTE['"']) this.#text();
    else if (first === BYTE["{"] || first === BYTE["["]) this.#nested(depth);
    else this.#bare();
    if (this.#before === undefined) return undefined;
    const last = this.#chunk.subarray(this.#from, this.at);
    // A copy, since the buffer is filled again.
    return Buffer.concat([...this.#before, last]);
  }

  #nested(outside: number): void {
    let depth = outside;
    do {
      if (this.at === this.#chunk.length && !this.#more()) throw this.fault(ENDS_EARLY);
      switch (this.#chunk[this.at]) {
        case BYTE['"']:
          this.#text();
          continue;
        case BYTE["{"]:
        case BYTE["["]:
          depth += 1;
          if (depth > MAXIMUM_NESTING) throw new TooDeep(this.offset);
          break;
        case BYTE["}"]:
        case BYTE["]"]:
          depth -= 1;
      }
      this.at += 1;
    } while (depth > outside);
  }

  #text(): void {
    this.at += 1;
    for (;;) {
      const chunk = this.#chunk;
      const end = chunk.length;
      let at = this.at;
      // An escaped byte is never the end of the text.
      for (; at < end && chunk[at] !== BYTE['"']; at += 1) if (chunk[at] === BYTE["\\"]) at += 1;
      this.at = Math.min(at, end);
      if (at < end) {
        this.at += 1;
        return;
      }
      if (!this.#more()) throw new StreamFault(this.offset, "the text ends within a string");
      this.at = at - end;
    }
  }

  #bare(): void {
    for (;;) {
      for (; this.at < this.#chunk.length; this.at += 1) {
        const byte = this.#chunk[this.at] as number;
        if (isSpace(byte) || byte === BYTE[","] || byte === BYTE["]"] || byte === BYTE["}"]) return;
      }
      if (!this.#more()) return;
    }
  }

  /** Reads the next chunk, when the current one is used up. Returns false at the end of the file. */
  #more(): boolean {
    const rest = this.#chunk.subarray(this.#from);
    if (this.#before !== undefined && rest.length > 0) this.#before.push(Buffer.from(rest));
    this.#start += this.#chunk.length;
    this.at = 0;
    this.#from = 0;
    const { length } = this.#buffer;
    const read = readSync(this.#descriptor, this.#buffer, 0, length, null);
    this.#chunk = this.#buffer.subarray(0, read);
    return this.#chunk.length > 0;
  }
}

const ENDS_EARLY = "the text ends within a value";

/** A value that is nested more deeply than many JSON parsers accept. */
export class TooDeep extends StreamFault {
  constructor(offset: number) {
    super(offset, TOO_DEEP.message);
  }
}
