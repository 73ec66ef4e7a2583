import { expect } from "vitest";
import type { Ran } from "../support/cli-bed.ts";
import { type ForwardedRequest, type S3Proxy, startProxy } from "./s3-proxy.ts";
import type { VersionsBed } from "./versions-bed.ts";

/** A write as the proxy of its deploy recorded it; `started` and `ended` count the events of all deploys. */
export interface Write extends ForwardedRequest {
  readonly started: number;
  readonly ended: number;
  readonly status: number;
}

export interface ConcurrentDeploy extends Ran {
  readonly writes: readonly Write[];
}

/** Resolves when all have arrived, or after 10 seconds. */
class Barrier {
  readonly all: Promise<void>;
  #missing: number;
  #open: () => void = () => {};

  constructor(count: number) {
    this.#missing = count;
    this.all = new Promise((resolve) => {
      this.#open = resolve;
    });
    setTimeout(this.#open, 10_000).unref();
  }

  arrive(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing <= 0) this.#open();
    return this.all;
  }
}

/** Matches the request at which concurrent deploys wait for one another. */
export type BarrierPoint = (request: ForwardedRequest) => boolean;

/**
 * Deploys several folders concurrently, each through its own proxy. Each waits for the others at its
 * first request that matches `isBarrierPoint`, so that none ends before the others have started.
 *
 * @param onWrite called for each write when the store has responded, before the deploy receives it.
 */
export async function deployAtOnce(
  bed: VersionsBed,
  server: string,
  outs: readonly string[],
  args: readonly string[],
  isBarrierPoint: BarrierPoint | undefined,
  onWrite: (write: Write) => void = () => {},
): Promise<ConcurrentDeploy[]> {
  const barrier = new Barrier(outs.length);
  let now = 0;
  return Promise.all(
    outs.map(async (out) => {
      const proxy = await startProxy(server);
      const writes = recordWrites(proxy, () => ++now, onWrite);
      const recordStart = proxy.fault;
      let hasArrived = isBarrierPoint === undefined;
      proxy.fault = (request) => {
        recordStart(request);
        if (hasArrived || !isBarrierPoint?.(request)) return undefined;
        hasArrived = true;
        return { hold: barrier.arrive() };
      };
      const endpoint = ["--endpoint", proxy.endpoint];
      const ran = await bed.start("deploy", "--json", "--out", out, ...endpoint, ...args).ended;
      if (!hasArrived) void barrier.arrive();
      await proxy.settled();
      return { ...ran, writes };
    }),
  );
}

function recordWrites(proxy: S3Proxy, tick: () => number, onWrite: (write: Write) => void) {
  const started = new Map<string, number>();
  const writes: Write[] = [];
  proxy.fault = ({ method, path }) => void started.set(`${method} ${path}`, tick());
  proxy.onResponse = ({ method, path }, status) => {
    if (method === "GET" || method === "HEAD") return;
    const write = {
      ...{ method, path, status },
      started: started.get(`${method} ${path}`) ?? 0,
      ended: tick(),
    };
    writes.push(write);
    onWrite(write);
  };
  return writes;
}

/** Each succeeds, or is refused because of another; at least one succeeds. */
export function expectDoneOrRefused(ran: readonly Ran[]): void {
  for (const { status, stdout, stderr } of ran) {
    expect(stderr).toBe("");
    if (status === 0) continue;
    const { error } = JSON.parse(stdout);
    expect(status, stdout).toBe(3);
    expect(["deploy-running", "deployed-meanwhile"], stdout).toContain(error.code);
    expect(error.hint).toEqual(expect.any(String));
  }
  expect(ran.map(({ status }) => status)).toContain(0);
}
