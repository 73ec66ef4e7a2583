import { assertRemovalLimit } from "../workspace/assert-removal-limit.ts";

/** @throws SvcError `too-many-deletes`. */
export function assertDeleteLimit(
  count: number,
  limit: number,
  where: string,
  unit: "object" | "project" = "object",
): void {
  const what = `${count.toLocaleString("en")} ${count === 1 ? unit : `${unit}s`}`;
  const refusal = { code: "too-many-deletes", option: "--max-deletes" };
  assertRemovalLimit({ count, limit }, what, where, refusal);
}
