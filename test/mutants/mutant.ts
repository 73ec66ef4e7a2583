import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A defect to plant in a file, and the tests that must fail under it. */
export interface Mutant {
  /** The code of the rule, and what is broken. */
  readonly rule: string;
  /** Below the repository, as are the tests. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly tests: readonly string[];
}

/** Mutants of one file: `before` is a text that the file has once. */
export function mutantsOf(
  file: string,
  tests: string | readonly string[],
  ...edits: readonly (readonly [rule: string, before: string, after: string])[]
): Mutant[] {
  return edits.map(([rule, before, after]) => ({
    rule,
    file,
    before,
    after,
    tests: [tests].flat(),
  }));
}

/**
 * The text of the mutated file.
 *
 * @throws when the text to edit is not in the file exactly once.
 */
export function mutatedText(root: string, { rule, file, before, after }: Mutant): string {
  const parts = readFileSync(join(root, file), "utf8").split(before);
  if (parts.length === 2) return parts.join(after);
  throw new Error(`${rule}: the text to edit is ${parts.length - 1} times in ${file}: ${before}`);
}
