import { SvcError } from "./errors.ts";

/** How much a command would remove, and how much it may. */
export interface Removals {
  readonly count: number;
  readonly limit: number;
}

/**
 * Guards against a wrong folder and a wrong target.
 *
 * @param what such as `4 objects`.
 * @param option the option that raises the limit.
 * @throws SvcError with this code.
 */
export function assertRemovalLimit(
  { count, limit }: Removals,
  what: string,
  where: string,
  { code, option }: { code: string; option: string },
): void {
  if (count <= limit) return;
  throw new SvcError(code, `${what} would be removed from ${where}; the limit is ${limit}`, {
    hint: `--dry-run lists them; ${option} ${count} allows them`,
  });
}
