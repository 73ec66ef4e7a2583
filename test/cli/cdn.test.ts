import { describe, expect, it } from "vitest";
import { printRequestFunction } from "../../src/deploy/edge/functions.ts";
import { nginxConfig } from "../../src/deploy/edge/nginx.ts";
import { CliBed } from "../support/cli-bed.ts";

describe("svc cdn", { timeout: 60_000 }, () => {
  it("function prints the function alone, ready for a file", () => {
    const bed = new CliBed();
    expect(bed.ok("cdn", "function")).toMatchObject({
      stdout: printRequestFunction({ kvs: true }),
      stderr: "",
    });
    expect(bed.ok("cdn", "function", "--no-kvs").stdout).toBe(printRequestFunction({ kvs: false }));
    expect(bed.ok("cdn", "function", "--preview-origin", "drafts").stdout).toBe(
      printRequestFunction({ kvs: true, preview: "drafts" }),
    );
  });

  it("function --json gives its text and its bytes", () => {
    const text = printRequestFunction({ kvs: true });
    expect(new CliBed().json(0, "cdn", "function")).toEqual({ text, bytes: text.length });
  });

  it("nginx prints the configuration of the folder, with its absolute path", () => {
    const bed = new CliBed();
    const { stdout, stderr } = bed.ok("cdn", "nginx", "--preview", "http://127.0.0.1:4400/");
    const preview = "http://127.0.0.1:4400";
    expect({ stdout, stderr }).toEqual({
      stdout: nginxConfig({ out: bed.path("out"), preview }),
      stderr: "",
    });
  });

  it.each([
    [["function", "--no-kvs", "--preview-origin", "drafts"], /token/],
    [["function", "--preview-origin", ""], /1 to 128/],
    [["function", "--preview-origin", "a".repeat(129)], /1 to 128/],
    [["nginx", "--port", "0"], /1 to 65535/],
    [["nginx", "--preview", "localhost"], /localhost/],
    [["nginx", "--server-name", "a b;"], /a b;/],
  ])("%j is a usage error", (args, message) => {
    const lines = new CliBed().failure(2, "cdn", ...args);
    expect(lines.join("\n")).toMatch(message);
  });
});
