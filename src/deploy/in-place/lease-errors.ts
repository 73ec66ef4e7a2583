import { SvcError } from "../../workspace/errors.ts";
import type { ObjectStore } from "../object-store.ts";
import { IN_PLACE_MANIFEST, type LeaseRecord } from "./in-place-manifest.ts";
import { ATTEMPTS } from "./manifest-state.ts";
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

export function manifestChanging({ name }: ObjectStore): SvcError {
  const manifest = `${name}/${IN_PLACE_MANIFEST}`;
  return new SvcError(
    "deploy-manifest-changing",
    `cannot update ${manifest}: it was changed by others at each of ${ATTEMPTS} attempts`,
    { hint: "end what changes it, then run the deploy again" },
  );
}

/** "process 12 on ci-7" */
export function processText({ host, pid }: RunningProcess): string {
  return `process ${pid} on ${host}`;
}
