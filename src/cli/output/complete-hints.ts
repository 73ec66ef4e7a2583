import { SvcError } from "../../workspace/errors.ts";
import { shellWord } from "./words.ts";

const OF_BUCKET = /\bsvc deploy (?:list|pin|prune|resume|rollback|unpin)\b/g;
const OF_STORE = /\bsvc resume\b/g;

/** The arguments and options of a command, of which another one needs some. */
type Given = Readonly<Record<string, unknown>>;

/**
 * L3b: an error whose hint names commands as they can be run, also elsewhere: with the bucket or the store of the
 * command that failed.
 */
export function withCompleteHint(error: unknown, given: Given): unknown {
  if (!(error instanceof SvcError) || error.hint === undefined) return error;
  const { target = process.env.SVC_DEPLOY_TARGET, store, storeFrom, workspace } = given;
  const bucket = words(["", target], ["--kvs ", given.kvs], ["--endpoint ", given.endpoint]);
  const ofStore = words(
    ["--store ", storeFrom === "default" ? undefined : store],
    ["--workspace ", workspace],
  );
  const hint = error.hint
    .replace(OF_BUCKET, (command) => command + bucket)
    .replace(OF_STORE, (command) => command + ofStore);
  return Object.assign(error, { hint });
}

function words(...options: readonly (readonly [option: string, value: unknown])[]): string {
  return options
    .map(([option, value]) => (typeof value === "string" ? ` ${option}${shellWord(value)}` : ""))
    .join("");
}
