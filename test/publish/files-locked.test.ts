import { expect, it } from "vitest";
import { isLocked } from "../../src/publish/out-lock.ts";
import { publish, write } from "../../src/publish/publish.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

it.each(["publish", "write"] as const)(
  "F4: while %s changes out/, no other process can change it",
  (command) => {
    const bed = new TestBed(smallWorkspace());
    const { store, out } = bed;
    const workspace = store.workspace("w");
    if (command === "write") bed.publish();
    const other = `${out}-2`;
    const locked: boolean[] = [];
    const onProgress = (_done: number, _total: number, what: string) => {
      if (what === "files written") locked.push(isLocked(other));
    };
    if (command === "write") write(store, workspace, other, { onProgress });
    else publish(store, workspace, other, { strict: false, keep: 20, now: new Date(), onProgress });
    expect(locked.length).toBeGreaterThan(0);
    expect(locked).not.toContain(false);
    expect(isLocked(other)).toBe(false);
  },
);
