import { describe, expect, it } from "vitest";
import { printRequestFunction } from "../../src/deploy/edge/functions.ts";
import { nginxConfig } from "../../src/deploy/edge/nginx.ts";
import { templateDocument, templateYaml } from "../../src/deploy/edge/template.ts";
import { CliBed } from "../support/cli-bed.ts";
import { publishedSite } from "../support/deploy/published-site.ts";
import { host } from "../support/server/hosts.ts";

const RELEASES = { kvs: true, preview: false };
const IN_PLACE = { kvs: false, preview: false };
const bed = () => new CliBed();

describe("svc cdn", () => {
  it.each([
    ["function", printRequestFunction({ kvs: true })],
    ["function --no-kvs", printRequestFunction({ kvs: false })],
    ["function --preview-origin drafts", printRequestFunction({ kvs: true, preview: "drafts" })],
    ["template", templateYaml(RELEASES)],
    ["template --preview", templateYaml({ kvs: true, preview: true })],
    ["template --no-kvs", templateYaml(IN_PLACE)],
    ["template --format json", `${JSON.stringify(templateDocument(RELEASES), undefined, 2)}\n`],
  ])("%s prints the text alone, ready for a file", (args, stdout) => {
    expect(bed().ok("cdn", ...args.split(" "))).toMatchObject({ stdout, stderr: "" });
  });

  it("nginx prints the configuration of the folder, with its absolute path", () => {
    const made = bed();
    const preview = "http://127.0.0.1:4400";
    const stdout = nginxConfig({
      out: made.path("out"),
      accessLog: "/var/log/nginx/access.log",
      preview,
    });
    const printed = made.ok("cdn", "nginx", "--preview", `${preview}/`);
    expect(printed).toMatchObject({ stdout, stderr: "" });
  });

  it("with --json: a text and its bytes, the template itself, the checks of the doctor", async () => {
    const text = printRequestFunction({ kvs: true });
    expect(bed().json(0, "cdn", "function")).toEqual({ text, bytes: text.length });
    expect(bed().json(0, "cdn", "template", "--no-kvs")).toEqual(templateDocument(IN_PLACE));
    const url = `${await host(publishedSite())}/api/v1`;
    const args = ["cdn", "doctor", "--url", url, "--project", "site", "--kvs", "bucket", "--json"];
    const { status, stdout } = await bed().runBeside(...args);
    const { ok, checks, counts } = JSON.parse(stdout);
    expect([status, ok, counts]).toEqual([1, false, { ok: 11, failed: 1, skipped: 2 }]);
    // The stand-in has no https.
    expect(checks.find(({ status }: { status: string }) => status === "failed")).toEqual({
      id: "url-https",
      title: "http is redirected to https",
      status: "failed",
      detail: "--url is not an https address",
      hint: "use the https address",
    });
  });

  it.each([
    [["function", "--no-kvs", "--preview-origin", "drafts"], /token/],
    [["function", "--preview-origin", ""], /1 to 128/],
    [["function", "--preview-origin", "a".repeat(129)], /1 to 128/],
    [["template", "--no-kvs", "--preview"], /token/],
    [["nginx", "--port", "0"], /1 to 65535/],
    [["nginx", "--preview", "localhost"], /localhost/],
    [["nginx", "--server-name", "a b;"], /a b;/],
    [["doctor"], /there is nothing to check/],
    [["doctor", "--url", "https://example.com"], /is not a base URL of the API/],
  ])("%j is a usage error", (args, message) => {
    expect(
      bed()
        .failure(2, "cdn", ...args)
        .join("\n"),
    ).toMatch(message);
  });
});
