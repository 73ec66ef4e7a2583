import { SvcError } from "../workspace/errors.ts";
import type { Hold } from "../workspace/hold.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Actions } from "./actions.ts";

/** H33: what a publish is asked to do. `plan` changes nothing. */
export type PublishTask =
  | { readonly what: "plan" | "publish" | "resume" }
  | { readonly what: "rollback"; readonly versionId: string; readonly reason?: string };

/** What a task has done, or would do. */
export interface PublishResult {
  readonly versionId?: string;
  /** False: it was this version already. */
  readonly published?: boolean;
  readonly errors?: number;
  readonly warnings?: number;
  readonly documents?: Readonly<Record<"added" | "removed" | "changed" | "unchanged", number>>;
  readonly breaking?: number;
  /** The version with which a plan compares; null: nothing is published. */
  readonly from?: string | null;
  readonly removals?: { readonly count: number; readonly of: number; readonly limit: number };
  readonly hold?: Hold | null;
}

/** The task that runs, or the last one. */
export interface PublishState {
  readonly id: number;
  readonly workspace: string;
  readonly task: PublishTask;
  readonly isRunning: boolean;
  readonly progress?: { readonly done: number; readonly total: number; readonly what: string };
  readonly result?: PublishResult;
  readonly failure?: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly errors?: number;
  };
}

/** Publishes as the command line does; injected, since src/server does not import `cli`. */
export interface Publisher {
  readonly state: PublishState | undefined;
  /** @throws SvcError `out-locked` while another task runs. */
  start(workspaceId: string, task: PublishTask): PublishState;
}

/** H33: begins tasks, which end by themselves, and says how they are going. */
export function publishActions(publisher: Publisher): Actions {
  const starting = (taskOf: (body: JsonObject) => PublishTask) => ({
    isLoopbackOnly: true,
    run: (workspaceId: string, body: JsonObject) => publisher.start(workspaceId, taskOf(body)),
  });
  return {
    "publish-plan": starting(() => ({ what: "plan" })),
    publish: starting(() => ({ what: "publish" })),
    resume: starting(() => ({ what: "resume" })),
    rollback: starting(({ versionId, reason = "" }) => {
      if (typeof versionId !== "string" || !/^[0-9a-f]{32}$/.test(versionId)) throw noVersion();
      if (reason === "") return { what: "rollback", versionId };
      if (typeof reason !== "string" || !/^[^\p{Cc}]{1,200}$/u.test(reason)) {
        throw new SvcError("edit-refused", "a reason has 1 to 200 characters in one line");
      }
      return { what: "rollback", versionId, reason };
    }),
    "publish-state": {
      isLoopbackOnly: true,
      run: (workspaceId) => {
        const { state } = publisher;
        return { state: state?.workspace === workspaceId ? state : null };
      },
    },
  };
}

function noVersion(): SvcError {
  return new SvcError("version-not-found", "there is no such version", {
    hint: "the history lists the versions of the store",
  });
}
