import { SvcError } from "../../workspace/errors.ts";
import { shellWord } from "./words.ts";

const OF_BUCKET = /\bsvc deploy (?:list|pin|prune|resume|rollback|unpin|--force|--hold)(?![\w-])/g;
const OF_STORE = /\bsvc resume\b/g;

/** The arguments and options of a command, of which another one needs some. */
type Given = Readonly<Record<string, unknown>>;

/** An error of a command, with what its hint names completed. */
export function withCompleteHint(error: unknown, given: Given): unknown {
  if (!(error instanceof SvcError) || error.hint === undefined) return error;
  return Object.assign(error, { hint: completeCommands(error.hint, given) });
}

/** L3b: the commands that a text names as they can be run, also elsewhere: with the bucket or the store of this one. */
export function completeCommands(text: string, given: Given): string {
  const { target: named, store, storeFrom, workspace } = given;
  // A release may stand in place of the target.
  const target = String(named).startsWith("s3:") ? named : process.env.SVC_DEPLOY_TARGET;
  const bucket = words(["", target], ["--kvs ", given.kvs], ["--endpoint ", given.endpoint]);
  const ofStore = words(
    ["--store ", storeFrom === "default" ? undefined : store],
    ["--workspace ", workspace],
  );
  return text
    .replace(OF_BUCKET, (command) => command + bucket)
    .replace(OF_STORE, (command) => command + ofStore);
}

function words(...options: readonly (readonly [option: string, value: unknown])[]): string {
  return options
    .map(([option, value]) => (typeof value === "string" ? ` ${option}${shellWord(value)}` : ""))
    .join("");
}
