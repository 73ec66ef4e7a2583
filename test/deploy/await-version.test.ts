import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { awaitVersion } from "../../src/deploy/await-version.ts";
import { deadUrl } from "../support/server/hosts.ts";
import { listening } from "../support/server/listening.ts";

const NEVER = new AbortController().signal;
const served = (versionId: string) => ({ status: 200, body: JSON.stringify({ versionId }) });

/** A CDN that sends these responses in order and repeats the last one; `requested` records the URLs. */
async function cdn(...answers: readonly { status: number; body: string }[]) {
  const requested: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    const { status, body } =
      answers[Math.min(requested.length, answers.length - 1)] ?? served("none");
    requested.push(url);
    response.writeHead(status).end(body);
  });
  return { requested, baseUrl: `${await listening(server)}/api/v1` };
}

/** Waits for version `new` of project `a b`, for this number of milliseconds. */
const wait = (baseUrl: string, milliseconds: number, signal = NEVER) =>
  awaitVersion("a b", "new", { baseUrl, deadline: performance.now() + milliseconds, signal });

describe("L1: --url waits", () => {
  it("until the deployed version is served", async () => {
    const { requested, baseUrl } = await cdn(
      served("old"),
      { status: 503, body: "" },
      served("new"),
    );
    await wait(`${baseUrl}/`, 600_000);
    expect(requested).toEqual(Array(3).fill("/api/v1/projects/a%20b"));
  });

  it("with one request when the version is served already", async () => {
    const { requested, baseUrl } = await cdn(served("new"));
    await wait(baseUrl, 0);
    expect(requested).toHaveLength(1);
  });

  it("L15: for a preview with its token, which no message has", async () => {
    const { requested, baseUrl } = await cdn(served("new"));
    const options = { baseUrl, token: "svc_a+b", deadline: performance.now(), signal: NEVER };
    await awaitVersion("p", "new", options);
    expect(requested).toEqual(["/api/v1/projects/p?preview_token=svc_a%2Bb"]);
    const failed = awaitVersion("p", "another", options);
    await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining("svc_a") });
  });

  it.each([
    ["another version", served("old"), "version old"],
    ["a status other than 200", { status: 404, body: "{}" }, "404"],
    ["invalid JSON", { status: 200, body: "<html>" }, "JSON"],
    ["no version", { status: 200, body: "{}" }, "undefined"],
  ])("at most --wait: %s is reported", async (_what, answer, text) => {
    const { baseUrl } = await cdn(answer);
    await expect(wait(baseUrl, 0)).rejects.toMatchObject({
      code: "not-live-yet",
      message: expect.stringContaining(text),
    });
  });

  it("at most --wait: an unreachable host is reported", async () => {
    await expect(wait(await deadUrl(), 0)).rejects.toMatchObject({
      code: "not-live-yet",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("until the signal is aborted, and fails with its reason", async () => {
    const { baseUrl } = await cdn(served("old"));
    const stop = new AbortController();
    const reason = new Error("Ctrl-C");
    setTimeout(() => stop.abort(reason), 50);
    await expect(wait(baseUrl, 60_000, stop.signal)).rejects.toBe(reason);
    await expect(wait(baseUrl, 60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
