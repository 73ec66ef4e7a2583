import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { EventSource } from "undici";
import { expect, it, vi } from "vitest";
import { type Change, createClient } from "../../src/client/client.ts";
import { host } from "../support/server/hosts.ts";

const TOKEN = "s3cret token/+ä%";

it("K14: onChange() hears of changes of the draft until it is stopped", async () => {
  const { promise: opened, resolve } = Promise.withResolvers<ServerResponse>();
  const targets: (string | undefined)[] = [];
  const baseUrl = await host((request, response) => {
    targets.push(request.url);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.flushHeaders();
    resolve(response);
  });
  const client = createClient({ baseUrl, projectId: "p/q", previewToken: TOKEN, EventSource });
  const heard: Change[] = [];
  const stop = client.onChange((change) => heard.push(change));
  const stream = await opened;
  expect(targets).toEqual([`/projects/p%2Fq/events?preview_token=${encodeURIComponent(TOKEN)}`]);
  const changes = [
    { experiences: ["home"], project: false, schema: true },
    { experiences: null, project: true, schema: true },
  ];
  const send = (event: string, change: unknown) =>
    stream.write(`event: ${event}\ndata: ${JSON.stringify(change)}\n\n`);
  send("change", changes[0]);
  send("other", {});
  send("change", changes[1]);
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(heard).toEqual(changes);
  stop();
  await once(stream, "close");
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
