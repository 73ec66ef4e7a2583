import { SvcError } from "../../workspace/errors.ts";
import type { ObjectStore } from "../object-store.ts";
import type { LeaseRecord } from "./in-place-manifest.ts";
import type { RunningProcess } from "./running-process.ts";

export function deployRunning(lease: LeaseRecord | undefined): SvcError {
  const what =
    lease === undefined
      ? "another deploy has changed the target meanwhile"
      : `another deploy to the target is running (${processText(lease.by)})`;
  return new SvcError("deploy-running", what, {
    hint: "wait for it to finish, then run this one again",
  });
}

export function leaseLost(objects: ObjectStore, by: LeaseRecord | undefined): SvcError {
  const process = by === undefined ? "" : ` (${processText(by.by)})`;
  return deploySuperseded(objects, `has taken over${process}`);
}

/** @param what continues "another deploy". */
export function deploySuperseded({ name }: ObjectStore, what: string): SvcError {
  return new SvcError("deploy-superseded", `another deploy to ${name} ${what}`, {
    hint: "decide which deploy is the right one, then run it again: it makes a new plan",
  });
}

/** "process 12 on ci-7" */
export function processText({ host, pid }: RunningProcess): string {
  return `process ${pid} on ${host}`;
}
