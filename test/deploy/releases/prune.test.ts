import { beforeEach, describe, expect, it } from "vitest";
import { planPrune, prune } from "../../../src/deploy/releases/prune.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { CONTENT, MemoryReleaseBed } from "./memory-release-bed.ts";

const now = new Date(Date.now() + 48 * 3_600_000);

let bed: MemoryReleaseBed;
beforeEach(() => {
  bed = new MemoryReleaseBed();
});

const plan = () => planPrune(bed.places, bed.work, { now });

/** Prunes as it would be done two days later. */
const pruned = async (work = bed.work, planned = plan()) =>
  prune(await planned, bed.places, work, { now, maxDeletes: 1e6 });

describe("L4: a prune", () => {
  it("fails with the keys that the store did not remove; the next run continues", async () => {
    const [first = ""] = await bed.deployMany(6);
    const key = `r/${first}/${CONTENT}`;
    bed.bucket.undeletable.add(key);
    await expect(pruned()).rejects.toMatchObject({
      code: "delete-failed",
      problems: {
        kind: "objects",
        list: [{ key, reason: expect.stringMatching(/^AccessDenied/) }],
      },
    });
    bed.bucket.undeletable.clear();
    await pruned();
    expect(bed.folders()).not.toContain(first);
  });

  it("L4a: leaves no claim when it fails before it removes something", async () => {
    await bed.deployMany(7);
    await bed.places.objects.put("assets/aaaaaaaaaaaaaaaa/orphan.png", bodyOf("x"), {});
    for (const asked of ["pins/", "assets/"]) {
      const planned = await plan();
      bed.bucket.before = ({ name, keys }) => {
        if (name === "list" && keys[0] === asked) throw new Error("cut");
      };
      await expect(pruned(bed.work, Promise.resolve(planned))).rejects.toThrow("cut");
      bed.bucket.before = () => {};
      const marks = [...bed.kvs.values.keys()].filter((key) => key.startsWith("d:"));
      expect(marks).toEqual(["d:last"]);
    }
  });

  it("stops at an aborted signal with its reason, and removes nothing more", async () => {
    await bed.deployMany(7);
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    bed.bucket.after = ({ name }) => name === "delete" && stop.abort(reason);
    await expect(pruned({ ...bed.work, signal: stop.signal })).rejects.toBe(reason);
    expect(bed.folders()).toHaveLength(6);
  });
});
