import { expect } from "vitest";
import type { Ran } from "../support/cli-bed.ts";
import { type Passed, type S3Proxy, startProxy } from "./s3-proxy.ts";
import type { VersionsBed } from "./versions-bed.ts";

/** A request that changed something, as it went through the proxy of its deploy. */
export interface Write extends Passed {
  /** Counts the events of all deploys. */
  readonly begun: number;
  readonly ended: number;
  readonly status: number;
}

export interface OneOfSeveral extends Ran {
  readonly writes: readonly Write[];
}

/** Who waits here goes on when all have come, or when the others have taken too long. */
class Meeting {
  readonly all: Promise<void>;
  #missing: number;
  #go: () => void = () => {};

  constructor(count: number) {
    this.#missing = count;
    this.all = new Promise((resolve) => {
      this.#go = resolve;
    });
    setTimeout(this.#go, 10_000).unref();
  }

  come(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing <= 0) this.#go();
    return this.all;
  }
}

/** Where several deploys wait for one another. */
export type MeetingPoint = (request: Passed) => boolean;

/**
 * Deploys several folders at once, each through a proxy of its own. They meet at the first request
 * of each that is the meeting point, so that none is done before the others have begun.
 *
 * @param onWrite hears of each write that the store has answered, before the deploy does.
 */
export async function deployAtOnce(
  bed: VersionsBed,
  server: string,
  outs: readonly string[],
  args: readonly string[],
  isMeeting: MeetingPoint | undefined,
  onWrite: (write: Write) => void = () => {},
): Promise<OneOfSeveral[]> {
  const meeting = new Meeting(outs.length);
  let now = 0;
  return Promise.all(
    outs.map(async (out) => {
      const proxy = await startProxy(server);
      const writes = recordWrites(proxy, () => ++now, onWrite);
      const record = proxy.fault;
      let hasMet = isMeeting === undefined;
      proxy.fault = (request) => {
        record(request);
        if (hasMet || !isMeeting?.(request)) return undefined;
        hasMet = true;
        return { hold: meeting.come() };
      };
      const endpoint = ["--endpoint", proxy.endpoint];
      const ran = await bed.start("deploy", "--json", "--out", out, ...endpoint, ...args).ended;
      if (!hasMet) void meeting.come();
      await proxy.settled();
      return { ...ran, writes };
    }),
  );
}

function recordWrites(proxy: S3Proxy, tick: () => number, onWrite: (write: Write) => void) {
  const begun = new Map<string, number>();
  const writes: Write[] = [];
  proxy.fault = ({ method, path }) => void begun.set(`${method} ${path}`, tick());
  proxy.onAnswer = ({ method, path }, status) => {
    if (method === "GET" || method === "HEAD") return;
    const write = {
      ...{ method, path, status },
      begun: begun.get(`${method} ${path}`) ?? 0,
      ended: tick(),
    };
    writes.push(write);
    onWrite(write);
  };
  return writes;
}

/** Each is done, or was refused because of another; at least one is done. */
export function expectDoneOrGaveWay(ran: readonly Ran[]): void {
  for (const { status, stdout, stderr } of ran) {
    expect(stderr).toBe("");
    if (status === 0) continue;
    expect(status, stdout).toBe(1);
    const { error } = JSON.parse(stdout);
    expect(["deploy-running", "deployed-meanwhile"], stdout).toContain(error.code);
    expect(error.hint).toEqual(expect.any(String));
  }
  expect(ran.map(({ status }) => status)).toContain(0);
}
