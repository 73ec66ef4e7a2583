import { describe, expect, it } from "vitest";
import { servingThread } from "../../src/cli/threads/serving-thread.ts";
import type { HelpingThread, StartThread } from "../../src/documents/serve-stale.ts";
import { checkStored } from "../../src/publish/check-stored.ts";
import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { type Parts, source, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

/** Enough that the thread is at work before all are served. */
const MANY = 4000;
/** Enough for several chunks. */
const SOME = 1500;
const logo = heldAsset("logo", "logo.png", "a logo");

/** Many entries in a chain, with assets, texts that occur often, and problems of each kind. */
function many(title = "Page", count = MANY): Parts {
  const ids = Array.from({ length: count }, (_, at) => (at === 0 ? "home" : `e${at}`));
  return smallWorkspace({
    projects: [projectOf("site", ...ids.filter((_, at) => at % 100 === 0))],
    entries: ids.map((id, at) =>
      page(id, at % 7 === 0 ? "The same" : `${title} ${at} Grüße 𝐀`, {
        next: { contentEntryId: at % 11 === 0 ? `gone-${at % 5}` : (ids[at + 1] ?? "foreign") },
        ...(at % 5 === 0 && { picture: { assetId: at % 2 === 0 ? "logo" : "missing" } }),
      }),
    ),
    assets: [logo.asset],
    files: new Map([logo.file]),
  });
}

const THEIRS: Parts = { id: "theirs", entries: [page("foreign", "Theirs"), page("gone-1", "")] };

const bedOfMany = () => new TestBed(THEIRS, many());
const bedOfSome = () => new TestBed(THEIRS, many("Page", SOME));

function published({ store, out }: TestBed, startThread?: StartThread) {
  const how = { strict: false, program: "p", now: new Date(), onProgress: () => {} };
  const row = store.workspace("w");
  const { versionId, problems } = publish(store, row, out, {
    ...how,
    ...(startThread && { startThread }),
  });
  return { versionId, problems, bytes: bytesBelow(out) };
}

let known: ReturnType<typeof published> | undefined;

/** What one thread publishes of some. */
function someAlone() {
  known ??= published(bedOfSome());
  return known;
}

/** A thread with a count of the chunks that it served. */
function watched(start: StartThread, onTaken: (count: number) => void): StartThread {
  let taken = 0;
  return (rendering, total) => {
    const thread = start(rendering, total);
    if (thread === undefined) return undefined;
    return {
      ...thread,
      take(waitFor) {
        const served = thread.take(waitFor);
        if (served !== undefined) onTaken(++taken);
        return served;
      },
    };
  };
}

const NEVER: HelpingThread = { post: () => {}, take: () => undefined, end: () => {} };

/** Threads that do not serve. */
const USELESS: Readonly<Record<string, (bed: TestBed) => StartThread>> = {
  "never answers": () => () => NEVER,
  "cannot be started": () => () => {
    throw new Error("EAGAIN");
  },
  "takes nothing": () => () => ({
    ...NEVER,
    post() {
      throw new Error("closed");
    },
  }),
  "answers a few times": ({ store }) => {
    let left = 3;
    return (rendering, total) => {
      const thread = servingThread(store.file, SOME)(rendering, total);
      return thread && { ...thread, take: (wait) => (left-- > 0 ? thread.take(wait) : undefined) };
    };
  },
  "finds no store": () => servingThread("/nowhere/workspace.db", SOME),
};

describe("a second thread that serves entries", { timeout: 60_000 }, () => {
  it("R1, P1: two threads give the same problems, version and bytes as one", () => {
    const alone = published(bedOfMany());
    expect(new Set(alone.problems.map(({ code }) => code)).size).toBe(4);
    const bed = bedOfMany();
    let count = 0;
    const start = watched(servingThread(bed.store.file, MANY), (taken) => {
      count = taken;
    });
    expect(published(bed, start)).toEqual(alone);
    expect(count, "chunks that it served").toBeGreaterThan(1);
    // The texts of both threads are stored.
    bed.import(many("Edited"));
    const edited = new TestBed(THEIRS, many("Edited"));
    expect(published(bed, start)).toEqual(published(edited));
  });

  it.each(Object.keys(USELESS))("that %s changes nothing but the time", (how) => {
    const alone = someAlone();
    const bed = bedOfSome();
    expect(published(bed, USELESS[how]?.(bed))).toEqual(alone);
  });

  it("H5: serves the revision that the first one reads, although another is imported meanwhile", () => {
    const bed = bedOfMany();
    const other = openStore(bed.store.file);
    const before = bed.check("w");
    const start = watched(servingThread(bed.store.file, MANY), (count) => {
      if (count !== 1) return;
      const entries = many().entries?.map((one) => ({ ...one, data: { title: 7 } })) ?? [];
      other.import(source({ ...many(), entries }), new Date());
    });
    const found = bed.store.read(() =>
      checkStored(bed.store, bed.store.workspace("w"), {
        ...{ program: "p", canWrite: false, startThread: start },
      }),
    );
    other.close();
    expect(found.filter(({ level }) => level === "error")).toHaveLength(0);
    expect(found).toEqual(before);
    expect(bed.check("w")[0]).toMatchObject({ code: "value-type" });
  });
});
