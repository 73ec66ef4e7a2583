import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openObjectStore } from "../../../src/deploy/aws/s3-object-store.ts";
import { CREDENTIALS, credentialsEnv, useEnv } from "../../support/deploy/aws-stand-in.ts";
import { bodyOf, failure, JSON_HEADERS } from "../../support/deploy/object-bodies.ts";
import { listening } from "../../support/server/listening.ts";

const STORED = 'HTTP/1.1 200 OK\r\nETag: "e"\r\nContent-Length: 4\r\n\r\ntext';

/** Responses that are not valid HTTP. */
const BROKEN: Readonly<Record<string, string>> = {
  "Content-Length beside Transfer-Encoding":
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n0\r\n\r\n",
  "two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\ntext",
  "another protocol": "SSH-2.0-OpenSSH_9.6\r\n",
  "a broken chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\ntext\r\n",
};

/** A store that gives these responses, the last one to all further requests. */
async function storeOf(...responses: readonly string[]) {
  let requests = 0;
  const heads: string[] = [];
  const server = createServer((socket) => {
    let received = "";
    socket.on("error", () => {});
    socket.on("data", (data) => {
      received += data.toString("latin1");
      const [head = "", ...body] = received.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body.length === 0 || body.join("\r\n\r\n").length < length) return;
      received = "";
      heads.push(head);
      socket.end(responses[requests] ?? responses.at(-1) ?? "");
      requests += 1;
    });
  });
  useEnv(credentialsEnv(CREDENTIALS));
  const endpoint = await listening(server);
  const { signal } = new AbortController();
  const store = openObjectStore(
    { bucket: "bucket", prefix: "" },
    { endpoint, concurrency: 1, signal },
  );
  return { store, heads, requests: () => requests };
}

// No wait between attempts.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

it.each(Object.keys(BROKEN))("a response with %s is retried", async (what) => {
  const { store, requests } = await storeOf(BROKEN[what] as string, STORED);
  expect((await store.get("a"))?.bytes.toString()).toBe("text");
  expect(requests()).toBe(2);
});

it("a write is retried after such a response, and ends as unreachable when there is no other", async () => {
  const broken = BROKEN["Content-Length beside Transfer-Encoding"] as string;
  const { store, requests } = await storeOf(broken, STORED);
  expect(await store.put("a", bodyOf("1"), JSON_HEADERS)).toBe("e");
  expect(requests()).toBe(2);
  const never = await storeOf(broken);
  expect((await failure(never.store.get("a"))).code).toBe("store-unreachable");
  expect(never.requests()).toBe(8);
});

it("L14a: uploads have a checksum, without which a bucket with Object Lock takes none", async () => {
  const { store, heads } = await storeOf(STORED);
  await store.put("a", bodyOf("text"), JSON_HEADERS);
  const sum = createHash("sha256").update("text").digest("base64");
  expect(heads[0]?.toLowerCase()).toContain(`x-amz-checksum-sha256: ${sum.toLowerCase()}`);
});
