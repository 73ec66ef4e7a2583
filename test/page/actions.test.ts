import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { AccessKey } from "../../src/page/access-key.ts";
import { type Action, isLoopback, refusalOf } from "../../src/page/actions.ts";
import { pageHandler } from "../../src/page/page-handler.ts";
import { MOST_BYTES } from "../../src/page/uploads.ts";
import { LiveDrafts } from "../../src/server/live-drafts.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { host } from "../support/server/hosts.ts";
import { ownerOf } from "../support/server/owner-of.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

const MIB = 1024 * 1024;
const HERE: Action = {
  isLoopbackOnly: true,
  run: (workspaceId, body) => ({ workspaceId, keys: Object.keys(body) }),
};
const FILE: Action = {
  isLoopbackOnly: true,
  takesFile: true,
  run: (_workspaceId, body, _signal, bytes) => ({ name: body.name, size: bytes?.length }),
};
const REFUSED: Action = {
  isLoopbackOnly: false,
  run() {
    throw new SvcError("file-changed", "the file was changed", { hint: "look again" });
  },
};

describe("H41: actions", () => {
  const key = new AccessKey();
  let post: (
    name: string,
    headers?: Record<string, string | undefined>,
    body?: string | Buffer,
    workspace?: string,
  ) => Promise<{ status: number | undefined; answer: Record<string, unknown> }>;

  beforeEach(async () => {
    const { store: drafts } = new TestBed(smallWorkspace({}));
    const onDefect = (error: unknown) => expect.unreachable(String(error));
    const live = new LiveDrafts(drafts, onDefect);
    onTestFinished(() => live.close());
    const page = {
      owner: ownerOf(drafts),
      live,
      key,
      actions: { here: HERE, file: FILE, refused: REFUSED },
      onDefect,
    };
    const origin = await host(pageHandler(page, () => expect.unreachable()));
    post = async (name, headers = {}, body = "{}", workspace = "w") => {
      const given = { "Content-Type": "application/json", Authorization: `Bearer ${key.text}` };
      const all = Object.entries({ ...given, ...headers }).filter(([, value]) => value);
      const url = `${origin}/_svc/do/${name}?workspace=${workspace}`;
      const sent = httpRequest(url, { method: "POST", headers: Object.fromEntries(all) });
      sent.end(body);
      const [response] = await once(sent, "response");
      const text = (await response.setEncoding("utf8").toArray()).join("");
      return { status: response.statusCode, answer: JSON.parse(text) };
    };
  });

  it("H41: answers JSON, and a refusal with its code, message and hint", async () => {
    expect(await post("here", {}, '{"a":1}')).toEqual({
      status: 200,
      answer: { workspaceId: "w", keys: ["a"] },
    });
    expect(await post("refused")).toEqual({
      status: 409,
      answer: {
        type: "svc:problem/file-changed",
        title: "Refused",
        status: 409,
        detail: "the file was changed",
        code: "file-changed",
        hint: "look again",
      },
    });
  });

  it("H41: there are none of a workspace that does not exist", async () => {
    expect((await post("here", {}, "{}", "other")).status).toBe(404);
    expect((await post("here", {}, "{}", "")).status).toBe(404);
  });

  it("H41: needs the access key, whatever else the request says", async () => {
    for (const Authorization of [undefined, "Bearer x", key.text]) {
      expect((await post("here", { Authorization })).answer.code).toBe("access-key-invalid");
    }
  });

  it("H41: takes an object of JSON up to 1 MiB", async () => {
    const code = async (...given: Parameters<typeof post>) => {
      const { status, answer } = await post(...given);
      return [status, answer.code];
    };
    for (const type of [undefined, "text/plain", "application/jsonp", "multipart/form-data"]) {
      expect(await code("here", { "Content-Type": type })).toEqual([415, "content-type-refused"]);
    }
    const deep = `{"a":${"[".repeat(300)}${"]".repeat(300)}}`;
    for (const wrong of [
      deep,
      '{"a":1e999}',
      "",
      "{",
      "[]",
      "1",
      "null",
      Buffer.from('{"a":"\xff"}', "latin1"),
    ]) {
      expect(await code("here", {}, wrong), String(wrong)).toEqual([400, "bad-request"]);
    }
    const text = (size: number) => JSON.stringify({ a: "x".repeat(size - 8) });
    expect(await code("here", {}, text(MIB))).toEqual([200, undefined]);
    expect(await code("here", {}, text(MIB + 1))).toEqual([413, "body-too-large"]);
  });

  it("H60: takes the bytes of a file up to 20 MB, and its name from the query", async () => {
    const put = async (size: number, type = "application/octet-stream") => {
      const bytes = Buffer.alloc(size, 0xff);
      const { status, answer } = await post(
        "file",
        { "Content-Type": type },
        bytes,
        "w&name=a%2Fb",
      );
      return [status, answer.code ?? answer.size, answer.name];
    };
    expect(await put(0)).toEqual([200, 0, "a/b"]);
    expect(await put(MOST_BYTES)).toEqual([200, MOST_BYTES, "a/b"]);
    expect(await put(MOST_BYTES + 1)).toEqual([413, "file-too-large", undefined]);
    for (const type of ["application/json", "multipart/form-data", "text/plain", "image/png", ""]) {
      expect(await put(1, type)).toEqual([415, "content-type-refused", undefined]);
    }
    const elsewhere = { "Content-Type": "application/octet-stream", Origin: "http://evil.example" };
    expect((await post("file", elsewhere)).answer.code).toBe("origin-refused");
    const without = { "Content-Type": "application/octet-stream", Authorization: undefined };
    expect((await post("file", without)).answer.code).toBe("access-key-invalid");
  });

  it("H41, H41a: refuses other pages, and what is not on this machine", async () => {
    for (const site of ["cross-site", "same-site", "none"]) {
      const { answer } = await post("refused", { "Sec-Fetch-Site": site });
      expect(answer.code, site).toBe("origin-refused");
    }
    for (const name of ["192.0.2.1:80", "shop.example", "localhost.example"]) {
      expect((await post("here", { Host: name })).answer.code, name).toBe("not-loopback");
      expect((await post("refused", { Host: name })).answer.code, name).toBe("file-changed");
    }
    const Host = "localhost:4400";
    expect((await post("here", { Host, Origin: `http://${Host}` })).status).toBe(200);
    for (const Origin of ["null", "http://localhost:3000", "https://localhost:4400"]) {
      expect((await post("here", { Host, Origin })).answer.code).toBe("origin-refused");
    }
    const proxied = ["X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "Via", "X-Real-IP"];
    for (const name of [
      ...proxied,
      "CF-Connecting-IP",
      "True-Client-IP",
      "X-Cluster-Client-IP",
      "X-Original-Forwarded-For",
    ]) {
      expect((await post("here", { [name]: "127.0.0.1" })).answer.code, name).toBe("not-loopback");
    }
    const from = (remoteAddress: string) =>
      refusalOf({ headers: { host: Host }, socket: { remoteAddress } } as never, HERE);
    expect(["127.0.0.1", "::ffff:127.0.0.1", "::1"].map(from)).toEqual(Array(3).fill(undefined));
    for (const address of ["192.0.2.1", "::ffff:192.0.2.1", "fe80::1", ""]) {
      expect(from(address), address).toBe("not-loopback");
    }
    expect(["127.8.9.1", "::1", "LOCALHOST", "a.localhost"].every(isLoopback)).toBe(true);
    expect(["127.0.0.1.example", "0.0.0.0", "::", "128.0.0.1"].some(isLoopback)).toBe(false);
  });
});
