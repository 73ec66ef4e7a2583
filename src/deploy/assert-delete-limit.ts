import { SvcError } from "../workspace/errors.ts";

/**
 * Guards against deploying a wrong folder, or to a wrong target.
 *
 * @throws SvcError `too-many-deletes`.
 */
export function assertDeleteLimit(
  deletes: number,
  limit: number,
  where: string,
  unit: "object" | "project" = "object",
): void {
  if (deletes <= limit) return;
  throw new SvcError(
    "too-many-deletes",
    `${deletes.toLocaleString("en")} ${deletes === 1 ? unit : `${unit}s`} would be removed from ${where}; the limit is ${limit}`,
    { hint: `--dry-run lists them; --max-deletes ${deletes} allows them` },
  );
}
