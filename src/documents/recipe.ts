import { isJsonObject, type JsonValue } from "../workspace/json.ts";

/**
 * A document as pieces: texts as they stand, and lists of numbers of texts, which stand with commas
 * between them.
 */
export type Piece = string | readonly number[];
export type Recipe = readonly Piece[];

const COMMA = 0x2c;

/** Where the texts of a recipe come from. */
export interface TextSource {
  /** In bytes of UTF-8. */
  sizeOf(text: number): number;
  copy(text: number, target: Buffer, at: number): void;
}

/** The document, as UTF-8. It is valid until the next one is assembled. */
export function assemble(recipe: Recipe, texts: TextSource): Buffer {
  let bytes = room;
  let used = 0;
  const need = (size: number) => {
    if (used + size <= bytes.length) return;
    const longer = Buffer.allocUnsafeSlow(2 * (used + size));
    bytes.copy(longer, 0, 0, used);
    bytes = longer;
  };
  for (const piece of recipe) {
    if (typeof piece === "string") {
      need(3 * piece.length);
      used += bytes.write(piece, used);
      continue;
    }
    for (let at = 0; at < piece.length; at += 1) {
      const text = piece[at] as number;
      const size = texts.sizeOf(text);
      need(size + 1);
      if (at > 0) bytes[used++] = COMMA;
      texts.copy(text, bytes, used);
      used += size;
    }
  }
  if (bytes.length <= KEPT) room = bytes;
  return bytes.subarray(0, used);
}

/** Memory for one document, which the next one takes again. */
let room = Buffer.allocUnsafeSlow(256 * 1024);
const KEPT = 16 * 1024 * 1024;

/** Every number of a text in a recipe. */
export function textsOf(recipe: Recipe): readonly number[] {
  return recipe.flatMap((piece) => (typeof piece === "string" ? [] : piece));
}

/** @throws Error when the text is no recipe. */
export function parseRecipe(text: string): Recipe {
  const recipe: unknown = JSON.parse(text);
  if (Array.isArray(recipe) && recipe.every(isPiece)) return recipe;
  throw new Error("a recipe is spoiled");
}

function isPiece(piece: JsonValue): piece is Piece {
  if (typeof piece === "string") return true;
  return !isJsonObject(piece) && Array.isArray(piece) && piece.every(Number.isSafeInteger);
}
