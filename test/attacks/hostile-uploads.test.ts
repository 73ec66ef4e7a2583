import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { bytesBelow } from "../support/file-tree.ts";
import { png, SVG } from "../support/pictures.ts";
import { PreviewBed } from "../support/server/preview-bed.ts";
import { faultsOf, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const FILES = {
  "models.json": [{ id: "m", key: "m", name: "M", fields: [] }],
  "projects.json": [{ id: "site", name: "S", steps: [], experiences: [] }],
  "assets.json": [],
};

async function editedBed() {
  const bed = new PreviewBed();
  workspaceFolder(FILES, bed.content);
  await bed.start("--edit");
  const { origin } = new URL(bed.link);
  const headers = {
    Authorization: `Bearer ${bed.key}`,
    "Content-Type": "application/octet-stream",
  };
  const put = async (name: string, bytes: Uint8Array | string, more: object = {}) => {
    const query = new URLSearchParams({ workspace: "w", name });
    const response = await fetch(`${origin}/_svc/do/asset-put?${query}`, {
      ...{ method: "POST", headers: { ...headers, ...more }, body: bytes as BodyInit },
    });
    return { status: response.status, answer: await response.json() };
  };
  return { bed, origin, headers, put, tree: () => bytesBelow(bed.content) };
}

describe("H60: uploads of an attacker", () => {
  it("H60: of an upload that is cut off, or is larger than it may be, nothing is left", async () => {
    const { bed, origin, headers, put, tree } = await editedBed();
    const before = tree();
    const { port } = new URL(origin);
    const lines = Object.entries({ ...headers, Host: `127.0.0.1:${port}` }).map((one) =>
      one.join(": "),
    );
    for (const [length, sent] of [
      [1_000_000, png()],
      [1_000_000_000, Buffer.concat([png(), Buffer.alloc(30_000_000)])],
    ] as const) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      const head = `POST /_svc/do/asset-put?workspace=w&name=a.png HTTP/1.1\r\n${lines.join("\r\n")}`;
      socket.write(`${head}\r\nContent-Length: ${length}\r\n\r\n`);
      await new Promise((resolve) => socket.write(sent, resolve));
      socket.destroy();
    }
    // It answers others meanwhile and after, and has written nothing.
    expect(tree()).toEqual(before);
    expect((await put("a.png", Buffer.alloc(20_000_001))).answer.code).toBe("file-too-large");
    expect(tree()).toEqual(before);
    expect((await put("a.png", png())).answer).toMatchObject({ id: "a" });
    expect(bed.server.stderr).not.toMatch(/error/i);
  });

  it("H60: twelve at once with one name are twelve assets, each with its file", async () => {
    const { bed, put, tree } = await editedBed();
    const all = Array.from({ length: 12 }, (_, shade) => put("a.png", png(9, 9, shade)));
    const ids = (await Promise.all(all)).map(({ answer }) => answer.id);
    expect(new Set(ids).size).toBe(12);
    expect(faultsOf(bed.content)).toEqual([]);
    expect(JSON.parse(tree()["assets.json"] ?? "").length).toBe(12);
    expect(Object.keys(tree()).filter((file) => file.startsWith("files/")).length).toBe(12);
  });

  it("H60a, H9: a drawing with scripts is a picture in a sandbox; one that lies is refused", async () => {
    const { origin, put } = await editedBed();
    const script = SVG.replace(
      "/>",
      "><script>parent.location = 'http://evil.example'</script></svg>",
    );
    const { answer } = await put("a.png", script);
    expect(answer.added.file).toMatchObject({ fileName: "a.svg", mimeType: "image/svg+xml" });
    const shown = await fetch(`${origin}${answer.added.file.src}`);
    expect(await shown.text()).toBe(script);
    expect(shown.headers.get("content-type")).toBe("image/svg+xml");
    expect(shown.headers.get("content-security-policy")).toBe("sandbox");
    expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
    const lies = `<!doctype html><title>x</title>${script}`;
    for (const name of ["a.svg", "a.png", "a.html"]) {
      expect((await put(name, lies)).answer.code).toBe("edit-refused");
    }
  });

  it("H60, H41a: others than this page on this machine write nothing", async () => {
    const { put, tree } = await editedBed();
    const before = tree();
    for (const [more, status] of [
      [{ Authorization: "Bearer x" }, 401],
      [{ Origin: "http://evil.example" }, 403],
      [{ "Sec-Fetch-Site": "cross-site" }, 403],
      [{ "X-Forwarded-For": "192.0.2.1" }, 403],
      [{ "Content-Type": "multipart/form-data; boundary=x" }, 415],
    ] as const) {
      expect((await put("a.png", png(), more)).status).toBe(status);
    }
    expect(tree()).toEqual(before);
  });
});
