import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { MAX_EVENT_STREAMS } from "../../src/server/live-events.ts";
import { openStore } from "../../src/store/store.ts";
import type { Project } from "../../src/workspace/records.ts";
import { CountedLive, EventClient } from "../support/server/event-client.ts";
import { type HttpClient, refusal, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const EVENTS = "/api/v1/projects/site/events";
const TOKEN = "?preview_token=t0ken-0123456789abcdef";
const ANY = { experiences: null, project: true, schema: true };

/** Home points at news, about is alone. */
function site(titles: Readonly<Record<string, string>> = {}, ...projects: readonly Project[]) {
  const { home = "Home", news = "News", about = "About" } = titles;
  return smallWorkspace({
    previewToken: "t0ken-0123456789abcdef",
    projects: projects.length > 0 ? projects : [projectOf("site", "home", "news", "about")],
    entries: [
      page("home", home, { next: { contentEntryId: "news" } }),
      page("news", news),
      page("about", about),
    ],
  });
}

let bed: TestBed;
let live: CountedLive;
let server: HttpClient;
beforeEach(async () => {
  bed = new TestBed(site());
  live = new CountedLive(bed.store, (error) => expect.fail(String(error)));
  onTestFinished(() => live.close());
  server = await serve(bed, { live });
});

const connect = (lastId?: string, query = TOKEN) =>
  EventClient.connect(server.url + EVENTS + query, lastId ? { "Last-Event-ID": lastId } : {});

/** A stream that has begun, and the id of its state. */
async function begun(): Promise<{ client: EventClient; id: string }> {
  const client = await connect();
  const [first] = await client.receivesEvents(1);
  expect(first).toEqual({ id: expect.stringMatching(/^[\w-]+$/) });
  return { client, id: first?.id ?? "" };
}

describe("H50: the events of a project", () => {
  it("H50: are a stream that any origin may read, and nobody keeps", async () => {
    const { client } = await begun();
    const headers = {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "x-accel-buffering": "no",
    };
    expect(client.answer.headers).toMatchObject(headers);
    expect(client.text).toMatch(/^retry: 500\n\n/);
    const head = await server.request(EVENTS.replace("e", "%65") + TOKEN, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const [name, value] of Object.entries(headers)) expect(head.headers.get(name)).toBe(value);
  });

  it("H50, H3: need one valid token", async () => {
    const other = { ...site({}, projectOf("shop", "home")), id: "other" };
    bed.import({ ...other, previewToken: "token-of-another-workspace" });
    for (const query of [
      "?preview_token",
      "?preview_token=wrong",
      `${TOKEN}&preview_token=`,
      "?preview_token=token-of-another-workspace",
    ]) {
      const answer = await server.request(EVENTS + query);
      expect(refusal(answer)).toBe("401 preview-token-invalid");
      expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
    }
    const none = EVENTS.replace("site", "none") + TOKEN;
    expect(refusal(await server.request(none))).toBe("401 preview-token-invalid");
    expect(refusal(await server.request(EVENTS))).toBe("404 not-found");
    const published = await serve(bed, { preview: false });
    expect(refusal(await published.request(EVENTS + TOKEN))).toBe("404 not-found");
  });

  it("H50, H11: streams beyond the limit get 503, until one ends", async () => {
    const streams = await Promise.all(Array.from({ length: MAX_EVENT_STREAMS }, () => connect()));
    expect(refusal(await server.request(EVENTS + TOKEN))).toBe("503 service-unavailable");
    streams[0]?.answer.destroy();
    await expect.poll(() => connect().then(({ answer }) => answer.statusCode)).toBe(200);
  });
});

describe("H51: an event", () => {
  it("H51: names the documents that have changed, in every open stream", async () => {
    const { client, id } = await begun();
    const other = await begun();
    expect(other.id).toBe(id);
    bed.import(site({ news: "Edited" }));
    const [, first] = await client.receivesEvents(2);
    await other.client.receivesEvents(2);
    expect(first?.data).toEqual({ experiences: ["home", "news"], project: false, schema: false });
    bed.import(site({ news: "Edited" }, projectOf("site", "home", "news")));
    const [, , second] = await client.receivesEvents(3);
    expect(second?.data).toEqual({ experiences: ["about"], project: true, schema: true });
    expect((await other.client.receivesEvents(3)).slice(1)).toEqual([first, second]);
  });

  it("H51: is not sent where no bytes differ", async () => {
    const { client } = await begun();
    const revisions: number[] = [];
    onTestFinished(live.onChange(({ revision }) => revisions.push(revision)));
    bed.import({ ...site(), id: "other", projects: [projectOf("shop", "home")] });
    await expect.poll(() => revisions.length).toBe(1);
    bed.import(site({ about: "Edited" }));
    const events = await client.receivesEvents(2);
    expect(events.slice(1)).toMatchObject([{ data: { experiences: ["about"] } }]);
  });

  it("H51a: tells a client that reconnects what it has missed, if the server still knows", async () => {
    const { client, id } = await begun();
    client.answer.destroy();
    await client.ended;
    const same = await connect(id);
    bed.import(site({ about: "Edited" }));
    const [event] = await same.receivesEvents(1);
    expect(event?.data).toEqual({ experiences: ["about"], project: false, schema: false });
    same.answer.destroy();
    await same.ended;
    await expect.poll(() => live.listening).toBe(0);
    bed.import(site({ about: "Again", home: "Edited" }));
    const [missed] = await (await connect(event?.id)).receivesEvents(1);
    expect(missed?.data).toEqual({ experiences: ["about", "home"], project: false, schema: false });
    for (const unknown of ["other", "1\t"]) {
      const [any] = await (await connect(unknown)).receivesEvents(1);
      expect(any).toEqual({ id: missed?.id, data: ANY });
    }
  });

  it("H51: says that any may have changed, as a draft did while a stream was opened", async () => {
    let isFirst = true;
    server = await serve(bed, {
      live,
      beforeAnswer: async () => {
        if (isFirst) bed.import(site({ home: "Meanwhile" }));
        isFirst = false;
      },
    });
    const [event] = await (await connect()).receivesEvents(1);
    expect(event?.data).toEqual(ANY);
  });

  it("H51: of more than 32 KiB says so too", async () => {
    const ids = Array.from({ length: 300 }, (_, at) => `${"x".repeat(120)}${at}`);
    const { steps, ...project } = projectOf("site", "home");
    const [first] = project.experiences;
    const experiences = ids.map((id) => ({ id, key: id, name: "", stepIds: first?.stepIds ?? [] }));
    bed.import(site({}, { ...project, steps, experiences }));
    const { client } = await begun();
    bed.import(site({ home: "Edited" }, { ...project, steps, experiences }));
    expect((await client.receivesEvents(2))[1]?.data).toEqual(ANY);
  });

  it("H55: is worked out only while a stream is open", async () => {
    let answers = 0;
    const beforeAnswer = async () => {
      answers += 1;
    };
    server = await serve(bed, { live, beforeAnswer });
    const changes: unknown[] = [];
    onTestFinished(live.onChange((state) => changes.push(state)));
    bed.import(site({ home: "Nobody" }));
    await expect.poll(() => changes.length).toBe(1);
    expect(answers).toBe(0);
    const { client } = await begun();
    bed.import(site({ home: "One" }));
    await client.receivesEvents(2);
    expect(answers).toBe(2);
    client.answer.destroy();
    await expect.poll(() => live.listening).toBe(1);
    bed.import(site({ home: "Nobody again" }));
    await expect.poll(() => changes.length).toBe(3);
    expect(answers).toBe(2);
  });

  it("H51a: tells what changes by the clock, as the date of a condition has come", async () => {
    const due = new Date(Date.now() + 1500).toISOString();
    const where = { due: { before: "$now" } };
    const fields = [
      ...PAGE_MODEL.fields,
      { key: "due", type: "date-time" },
      { key: "latest", type: "reference", repeatable: true, query: { where } },
    ];
    bed.import({
      ...site(),
      models: [{ ...PAGE_MODEL, fields }],
      entries: [page("home", "Home"), page("about", "About"), page("news", "News", { due })],
    });
    const { client } = await begun();
    const [, event] = await client.receivesEvents(2);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(due));
    const changed = { experiences: ["about", "home"], project: false, schema: false };
    expect(event?.data).toEqual(changed);
  });

  it("H51a: is told after a reconnection when the thread beside has failed", async () => {
    let answers = 0;
    server = await serve(bed, {
      live,
      mayFail: true,
      beforeAnswer: async () => {
        answers += 1;
        if (answers === 2) throw new Error("no room");
      },
    });
    const { client, id } = await begun();
    bed.import(site({ home: "Edited" }));
    await client.ended;
    const [event] = await (await connect(id)).receivesEvents(1);
    expect(event?.data).toEqual({ experiences: ["home"], project: false, schema: false });
  });

  it("H51a: is exact for each of several streams, whatever the other one was told", async () => {
    const { client, id } = await begun();
    bed.import(site({ home: "Edited" }));
    await client.receivesEvents(2);
    bed.import(site());
    await client.receivesEvents(3);
    bed.import(site({ news: "Edited" }));
    const [event] = await (await connect(id)).receivesEvents(1);
    expect(event?.data).toEqual({ experiences: ["home", "news"], project: false, schema: false });
    expect((await client.receivesEvents(4))[3]).toEqual(event);
  });
});

describe("H53: a stream ends", () => {
  const makeToken = (expiresAt?: Date) =>
    bed.store.write(() =>
      bed.store.tokens.create(1, { name: "a", createdAt: new Date(), expiresAt }),
    );

  it("H53: when its token is revoked by another process, though no document has changed", async () => {
    const { token, record } = makeToken();
    const revoked = await connect(undefined, `?preview_token=${token}`);
    const { client } = await begun();
    const other = openStore(bed.store.file);
    onTestFinished(() => other.close());
    other.write(() => other.tokens.revoke(1, record.id));
    await revoked.ended;
    expect(revoked.answer.complete).toBe(true);
    bed.import(site({ home: "Edited" }));
    await client.receivesEvents(2);
    expect(revoked.text).not.toContain("change");
  });

  it("H53: before an event after its token has expired", async () => {
    const { token } = makeToken(new Date(Date.now() + 60_000));
    const client = await connect(undefined, `?preview_token=${token}`);
    expect(client.answer.statusCode).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    bed.import(site({ home: "Edited" }));
    await client.ended;
    expect(client.text).not.toContain("change");
  });

  it("H53: when the project is gone, or the preview closes", async () => {
    const { client } = await begun();
    bed.import(site({}, projectOf("other", "home")));
    await client.ended;
    expect(client.answer.complete).toBe(true);
    bed.import(site());
    const again = await begun();
    live.close();
    await again.client.ended;
    expect(again.client.answer.complete).toBe(true);
  });
});
