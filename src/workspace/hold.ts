import { SvcError } from "./errors.ts";
import { isJsonObject, type JsonValue } from "./json.ts";

/** R6a, L3a: since when what is published, or live, is held, by whom, and why. */
export interface Hold {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly by: string;
  /** Null: not given. */
  readonly reason: string | null;
}

/** A hold that begins. */
export interface NewHold {
  readonly by: string;
  /** Undefined: that of the hold before. */
  readonly reason: string | undefined;
}

export function holdAfter(before: Hold | undefined, { by, reason }: NewHold, at: Date): Hold {
  return { at: at.toISOString(), by, reason: reason ?? before?.reason ?? null };
}

/** A hold as it was read from a bucket: a damaged one holds too. */
export function holdFrom(value: JsonValue | undefined): Hold {
  const { at, by, reason } = isJsonObject(value) ? value : {};
  const text = (one: JsonValue | undefined) => (typeof one === "string" ? one : undefined);
  return {
    at: text(at) ?? "an unknown time",
    by: text(by) ?? "somebody",
    reason: text(reason) ?? null,
  };
}

/** @param resume the command that ends it. */
export function heldError(workspaceId: string, hold: Hold, resume: string): SvcError {
  return new SvcError("held", `"${workspaceId}" is ${holdText(hold)}`, {
    hint: `when what was rolled back is mended, ${resume} ends the hold; then run this again`,
  });
}

/** "held since 2026-11-23T05:41:00.000Z, by anna@ci-7: the prices are wrong" */
export function holdText({ at, by, reason }: Hold): string {
  return `held since ${at}, by ${by}: ${reason ?? "no reason was given"}`;
}
