import { isJsonObject, type JsonValue } from "../workspace/json.ts";

/**
 * A document as pieces: literal texts, and lists of text numbers, whose texts are joined by commas.
 */
export type Piece = string | readonly number[];
export type Recipe = readonly Piece[];

const COMMA = 0x2c;

/** The texts of a recipe. */
export interface TextSource {
  /** In bytes of UTF-8. */
  sizeOf(text: number): number;
  copy(text: number, target: Buffer, at: number): void;
}

/** The document as UTF-8, in memory that the next call reuses. */
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

/** Memory for one document, which the next one reuses. */
let room = Buffer.allocUnsafeSlow(256 * 1024);
const KEPT = 16 * 1024 * 1024;

/** The text numbers of a recipe. */
export function textsOf(recipe: Recipe): readonly number[] {
  return recipe.flatMap((piece) => (typeof piece === "string" ? [] : piece));
}

/** @throws Error when the text is not a recipe. */
export function parseRecipe(text: string): Recipe {
  const recipe: unknown = JSON.parse(text);
  if (Array.isArray(recipe) && recipe.every(isPiece)) return recipe;
  throw new Error("a recipe is damaged");
}

function isPiece(piece: JsonValue): piece is Piece {
  if (typeof piece === "string") return true;
  return !isJsonObject(piece) && Array.isArray(piece) && piece.every(Number.isSafeInteger);
}
