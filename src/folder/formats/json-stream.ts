import { BYTE, ByteReader } from "./byte-reader.ts";

/** A value of the top-level object of a JSON file, or an element of one of its lists. */
export interface Piece {
  /** The member of the top-level object; empty where the file is a list. */
  readonly member: string;
  /** Of an element of a list; undefined: the member's whole value. */
  readonly index?: number;
  /** Undefined: an element of a list that is not wanted. Of a list, before its elements: `[]`. */
  readonly bytes: Buffer | undefined;
  /** Of the first byte in the file. */
  readonly offset: number;
}

/**
 * Splits the top-level object (or list) of a JSON file into its values, without holding more than one
 * of them. It only finds where values end: whether each one is JSON is left to a parser.
 *
 * @param isWanted which lists to return with the bytes of their elements.
 * @throws StreamFault.
 */
export function* pieces(
  path: string,
  isWanted: (member: string) => boolean,
  options: { readonly chunkSize?: number; readonly mayBeList?: boolean } = {},
): Generator<Piece> {
  const reader = new ByteReader(path, options.chunkSize);
  try {
    reader.skipByteOrderMark();
    if (options.mayBeList && reader.next() === BYTE["["])
      yield* elements(reader, "", { isWanted: true, depth: 1 });
    else yield* members(reader, isWanted);
    if (reader.next() !== undefined) throw reader.fault("text after the end of the value");
  } finally {
    reader.close();
  }
}

function* members(reader: ByteReader, isWanted: (member: string) => boolean): Generator<Piece> {
  const first = reader.next();
  if (first !== undefined && first >= 0x80) throw reader.fault(NOT_UTF8);
  if (first !== BYTE["{"]) throw reader.fault(NO_OBJECT);
  reader.at += 1;
  if (reader.next() === BYTE["}"]) {
    reader.at += 1;
  } else {
    do {
      if (reader.next() !== BYTE['"']) throw reader.fault("member name in double quotes expected");
      const member = nameOf(reader.value(true, 1) as Buffer, reader);
      if (reader.next() !== BYTE[":"]) throw reader.fault("':' expected");
      reader.at += 1;
      yield* values(reader, member, isWanted(member));
    } while (reader.separator(BYTE["}"]));
  }
}

export const NOT_UTF8 = "it is not UTF-8";
export const NO_OBJECT = "it is not a JSON object";

function* values(reader: ByteReader, member: string, isWanted: boolean): Generator<Piece> {
  if (reader.next() !== BYTE["["]) {
    const offset = reader.offset;
    yield { member, bytes: reader.value(true, 1), offset };
    return;
  }
  yield* elements(reader, member, { isWanted, depth: 2 });
}

function* elements(
  reader: ByteReader,
  member: string,
  { isWanted, depth }: { readonly isWanted: boolean; readonly depth: number },
): Generator<Piece> {
  reader.at += 1;
  // So that an empty list is told from a missing one.
  yield { member, bytes: Buffer.from("[]"), offset: reader.offset - 1 };
  if (reader.next() === BYTE["]"]) {
    reader.at += 1;
    return;
  }
  let index = 0;
  do {
    reader.next();
    const offset = reader.offset;
    yield { member, index, bytes: reader.value(isWanted, depth), offset };
    index += 1;
  } while (reader.separator(BYTE["]"]));
}

function nameOf(bytes: Buffer, reader: ByteReader): string {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw reader.fault("member name expected");
  }
}
