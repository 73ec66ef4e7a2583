import { EventSource } from "undici";
import { expect, it, onTestFinished, vi } from "vitest";
import { type Change, createClient } from "../../src/client/client.ts";
import { CountedLive } from "../support/server/event-client.ts";
import { serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const TOKEN = "s3cret token/+ä% 0123456789";

it("K14: onChange() hears of changes of the draft until it is stopped", async () => {
  const draft = (title: string) =>
    smallWorkspace({
      previewToken: TOKEN,
      projects: [projectOf("site", "home", "about")],
      entries: [page("home", title), page("about", "About")],
    });
  const bed = new TestBed(draft("Home"));
  const live = new CountedLive(bed.store, (error) => expect.fail(String(error)));
  onTestFinished(() => live.close());
  const baseUrl = `${(await serve(bed, { live })).url}/api/v1`;
  const client = createClient({ baseUrl, projectId: "site", previewToken: TOKEN, EventSource });
  const heard: Change[] = [];
  const stop = client.onChange((change) => heard.push(change));
  await expect.poll(() => live.listening).toBeGreaterThan(0);
  // What is changed before the stream has begun is not told.
  let edits = 0;
  await vi.waitFor(
    () => {
      edits += 1;
      bed.import(draft(`Home ${edits}`));
      expect(heard).not.toEqual([]);
    },
    { interval: 100, timeout: 60_000 },
  );
  expect(heard[0]).toEqual({ experiences: ["home"], project: false, schema: false });
  stop();
  await expect.poll(() => live.listening).toBe(0);
});

it("K14: data that is none of ours calls nobody, and throws nothing where nobody could catch it", () => {
  let emit = (_event: { data: string }) => {};
  class Events {
    addEventListener(_type: string, listener: typeof emit) {
      emit = listener;
    }
    close() {}
  }
  const options = { baseUrl: "http://host/api/v1", projectId: "p", previewToken: TOKEN };
  const heard: Change[] = [];
  createClient({ ...options, EventSource: Events }).onChange((change) => heard.push(change));
  for (const data of ["", "{", "null", "[]", "7"]) emit({ data });
  expect(heard).toEqual([]);
});

it("K14: without a previewToken, or without EventSource, it is an error that says so", () => {
  const baseUrl = "http://host/api/v1";
  vi.stubGlobal("EventSource", undefined);
  try {
    for (const options of [
      { EventSource },
      { previewToken: "", EventSource },
      { previewToken: TOKEN },
    ]) {
      const client = createClient({ baseUrl, projectId: "p", ...options });
      expect(() => client.onChange(() => {})).toThrow(
        "no-events: onChange needs a previewToken and EventSource (http://host/api/v1/projects/p/events)",
      );
    }
  } finally {
    vi.unstubAllGlobals();
  }
});
