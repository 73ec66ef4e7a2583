import { SvcError } from "../workspace/errors.ts";

/**
 * A guard against a wrong folder or store.
 *
 * @throws SvcError `too-many-deletes`.
 */
export function refuseTooMany(
  deletes: number,
  most: number,
  where: string,
  what: "object" | "project" = "object",
): void {
  if (deletes <= most) return;
  throw new SvcError(
    "too-many-deletes",
    `${deletes.toLocaleString("en")} ${deletes === 1 ? what : `${what}s`} would be removed from ${where}, and ${most} are allowed`,
    { hint: `--dry-run lists them; --max-deletes ${deletes} allows them` },
  );
}
