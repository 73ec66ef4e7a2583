import { createServer, type RequestListener } from "node:http";
import { expect, it } from "vitest";
import { fetchWithTimeout } from "../../src/http/fetch-with-timeout.ts";
import { deadUrl } from "../support/server/hosts.ts";
import { listening } from "../support/server/listening.ts";

const served = async (listener: RequestListener) => `${await listening(createServer(listener))}/`;

it("has the status, the headers and the body of an answer", async () => {
  const url = await served((_, response) => response.setHeader("x-a", "1").end("body"));
  const answer = await fetchWithTimeout(url, { timeout: 5_000 });
  expect(answer).toMatchObject({ status: 200, body: Buffer.from("body") });
  expect("headers" in answer && answer.headers.get("x-a")).toBe("1");
});

it("stops reading a body that is longer than maxBytes", async () => {
  const url = await served((_, response) => {
    const write = () => {
      while (response.write(Buffer.alloc(65_536)));
      response.once("drain", write);
    };
    write();
  });
  const answer = await fetchWithTimeout(url, { timeout: 5_000, maxBytes: 1_000_000 });
  const length = "body" in answer ? answer.body.length : 0;
  expect(length).toBeGreaterThan(1_000_000);
  expect(length).toBeLessThan(2_000_000);
});

it("reads the body of an error status only on request", async () => {
  const url = await served((_, response) => response.writeHead(404).end("none"));
  const options = { timeout: 5_000 };
  expect(await fetchWithTimeout(url, options)).toMatchObject({
    status: 404,
    body: new Uint8Array(),
  });
  expect(await fetchWithTimeout(url, { ...options, readsErrorBody: true })).toMatchObject({
    body: Buffer.from("none"),
  });
});

it("fails after the time limit, also in the middle of a body", async () => {
  const silent = await served(() => {});
  const half = await served((_, response) => response.write("half"));
  for (const url of [silent, half]) {
    expect(await fetchWithTimeout(url, { timeout: 200 })).toEqual({
      failure: "no answer within 0.2 seconds",
      isUnreachable: true,
    });
  }
});

it("fails with the system's error code: unreachable without a connection, not when it breaks", async () => {
  const cut = await served((request) => request.socket.destroy());
  expect(await fetchWithTimeout(cut, { timeout: 5_000 })).toEqual({
    failure: "UND_ERR_SOCKET",
    isUnreachable: false,
  });
  const closed = await deadUrl();
  expect(await fetchWithTimeout(closed, { timeout: 5_000 })).toEqual({
    failure: "ECONNREFUSED",
    isUnreachable: true,
  });
});

it("throws the caller's reason when its signal is aborted", async () => {
  const url = await served(() => {});
  const stop = new AbortController();
  const reason = new Error("stopped");
  setTimeout(() => stop.abort(reason), 20);
  const fetched = fetchWithTimeout(url, { timeout: 5_000, signal: stop.signal });
  await expect(fetched).rejects.toBe(reason);
});
