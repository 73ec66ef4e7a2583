import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { networkOf } from "../../src/server/listen.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

const LIMIT = 250;

/** Opens connections that send nothing; resolves with those that the server keeps. */
async function hold(url: string, count: number, localAddress: string): Promise<Set<Socket>> {
  const { port } = new URL(url);
  const held = new Set<Socket>();
  for (let at = 0; at < count; at += 1) {
    const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
    socket.on("error", () => {});
    socket.once("close", () => held.delete(socket));
    held.add(socket);
    await new Promise((resolve) => socket.once("connect", resolve));
  }
  onTestFinished(() => {
    for (const socket of held) socket.destroy();
  });
  return held;
}

async function started(host: string): Promise<ServerProcess> {
  const bed = new TestBed(smallWorkspace());
  bed.publish();
  return ServerProcess.start("serve", "--out", bed.out, "--json", "--host", host);
}

const PATH = "/api/v1/projects/site";

it("H11a: one address cannot take all connections of a public server", async () => {
  const { client } = await started("0.0.0.0");
  const [attacker, reader] = ["127.0.0.2", "127.0.0.1"];
  const held = await hold(client.url, LIMIT + 150, attacker);
  await expect.poll(() => held.size).toBe(LIMIT);
  const answer = await fetchFrom(client.url, reader);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(await fetchFrom(client.url, attacker)).toBe("");
  // Its own further requests are answered again when it lets go.
  [...held][0]?.destroy();
  await expect.poll(() => fetchFrom(client.url, attacker)).toMatch(/^HTTP\/1\.1 200 /);
});

it("H11a: on this machine alone there is no such limit", async () => {
  const { client } = await started("127.0.0.1");
  await hold(client.url, LIMIT + 50, "127.0.0.2");
  expect(await fetchFrom(client.url, "127.0.0.2")).toMatch(/^HTTP\/1\.1 200 /);
});

it("H11a: an address of IPv6 counts with its network", () => {
  expect(["::1", "fe80::1", "::ffff:10.0.0.1", "10.0.0.1"].map(networkOf)).toEqual([
    "0:0:0:0",
    "fe80:0:0:0",
    "10.0.0.1",
    "10.0.0.1",
  ]);
  const one = ["2001:db8:1:2::1", "2001:db8:1:2:a:b:c:d", "2001:db8:1:2:ffff::"].map(networkOf);
  expect(new Set(one)).toEqual(new Set(["2001:db8:1:2"]));
  expect(networkOf("2001:db8:1:3::1")).toBe("2001:db8:1:3");
});

/** The response to a request from a local address; empty when the connection is closed. */
function fetchFrom(url: string, localAddress: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve) => {
    let received = "";
    const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
    socket.on("error", () => {});
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    socket.once("close", () => resolve(received));
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  });
}
