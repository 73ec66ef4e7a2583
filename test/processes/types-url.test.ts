import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { RunningCommand } from "../cli/running-command.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { listening } from "../support/server/listening.ts";
import { ServerProcess } from "../support/server/server-process.ts";

const PATH = "/api/v1/projects/site/schema";

describe("svc types <url>", () => {
  it("reads a schema from svc serve", async () => {
    const bed = new CliBed(STARTER);
    bed.ok("publish");
    const server = await ServerProcess.start("serve", "--out", bed.path("out"));
    const { url } = server.client;
    expect(bed.ok("types", url + PATH).stdout).toBe(bed.ok("types").stdout);
    expect(bed.failure(4, "types", `${url}/api/v1/projects/none/schema`)[0]).toMatch(/404/);
    // T8: at the project's address.
    const ids = bed.ok("types", "--experience-ids").stdout;
    for (const path of [PATH, `${PATH}?a=1`]) {
      expect(bed.ok("types", "--experience-ids", url + path).stdout, path).toBe(ids);
    }
    const elsewhere = `${url}/api/v1/projects/site?schema`;
    expect(bed.failure(2, "types", "--experience-ids", elsewhere)[1]).toMatch(/ends in/);
    bed.env = { SVC_PREVIEW_TOKEN: "svc_secret-of-mine" };
    const refused = bed.failure(4, "types", url + PATH).join("\n");
    expect(refused).toMatch(/401.*svc token create/s);
    expect(refused).not.toContain("secret");
  });

  it("reads the draft from svc preview with a token, which it never prints", async () => {
    const bed = new CliBed(STARTER);
    const token = bed.ok("token", "create").stdout.trim();
    const server = await ServerProcess.start("preview", "--store", bed.path("workspace.db"));
    const address = server.client.url + PATH;
    const types = bed.ok("types", "--draft").stdout;
    const given = bed.ok("types", address, "--preview-token", token, "-o", "types.ts");
    expect(`${given.stdout}${given.stderr}`).toBe("wrote types.ts\n");
    bed.env = { SVC_PREVIEW_TOKEN: token };
    expect(bed.ok("types", address)).toEqual({ status: 0, stdout: types, stderr: "" });
    expect(types).not.toContain(token);
    bed.env = {};
    for (const wrong of [`${token}x`, "svc_secret", "a b&c=%"]) {
      const lines = bed.failure(4, "types", address, "--preview-token", wrong);
      expect(lines[0]).toMatch(/401/);
      expect(lines.join("\n")).not.toContain(wrong);
      const { error } = bed.json(
        4,
        "types",
        `${address}?preview_token=${encodeURIComponent(wrong)}`,
      );
      expect(error).toMatchObject({ code: "url-refused", hint: expect.any(String) });
      expect(JSON.stringify(error)).not.toContain(encodeURIComponent(wrong));
    }
  });

  it.each([
    ["hangs up", 3, undefined],
    ["answers with something else", 1, "<html>secret-token</html>"],
    ["answers with another document", 1, "{}"],
  ])("a host that %s is reported with a hint, without the token", async (_what, expected, body) => {
    const host = createServer((_request, response) => {
      if (body === undefined) response.destroy();
      else response.end(body);
    });
    const origin = await listening(host);
    const bed = new CliBed();
    bed.env = { SVC_PREVIEW_TOKEN: "secret-token" };
    const running = new RunningCommand(bed, "types", `${origin}${PATH}?preview_token=secret-token`);
    const { status, stdout, stderr } = await running.end();
    expect([status, stdout]).toEqual([expected, ""]);
    expect(stderr).toMatch(/^error: [^\n]+\nhint: [^\n]+\n$/);
    expect(stderr).not.toContain("secret");
  });

  it("an unreachable host is reported with a hint", () => {
    const url = `http://127.0.0.1:1${PATH}?preview_token=secret`;
    const said = new CliBed().failure(3, "types", url).join("\n");
    expect(said).toMatch(/127\.0\.0\.1:1.*does not answer/);
    expect(said).not.toContain("secret");
  });
});
