import { describe, expect, it } from "vitest";
import { mediaTypes } from "../../../../src/deploy/edge/nginx/media-types.ts";
import { nginxConfig } from "../../../../src/deploy/edge/nginx/nginx-config.ts";
import {
  HAS_PREVIEW_TOKEN,
  WELL_FORMED,
} from "../../../../src/deploy/edge/nginx/request-patterns.ts";
import { assetHeaders } from "../../../../src/http/published-headers.ts";
import { UsageError } from "../../../../src/workspace/errors.ts";

/** Replaces the syntax of PCRE that JavaScript lacks. */
const inJavaScript = (pattern: string) =>
  new RegExp(pattern.replaceAll("*+", "*").replaceAll(String.raw`\z`, "$"));

describe("nginx's configuration", () => {
  it("H4: a path is well formed when decodeURIComponent accepts it", () => {
    const wellFormed = inJavaScript(WELL_FORMED);
    const bytes = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf];
    const heads = [
      ...bytes,
      0xe0,
      0xe1,
      0xec,
      0xed,
      0xee,
      0xef,
      0xf0,
      0xf1,
      0xf3,
      0xf4,
      0xf5,
      0xff,
    ];
    const encoded = (...codes: number[]) =>
      codes.map((code) => `%${code.toString(16).padStart(2, "0")}`).join("");
    const tails = bytes.slice(2, 10);
    const paths = heads.flatMap((head) => [
      encoded(head),
      ...tails.flatMap((first) => [
        encoded(head, first),
        ...[0x7f, 0x80, 0xbf, 0xc0].flatMap((second) => [
          encoded(head, first, second),
          encoded(head, first, second, 0x80),
          encoded(head, first, second, 0x80).toUpperCase(),
          encoded(head, first, second, 0xc0),
        ]),
      ]),
    ]);
    for (const path of [...paths, "%", "%z0", "%0", "a%20b"]) {
      expect(wellFormed.test(`/a${path}/b?%ZZ`), path).toBe(decodes(path));
    }
    expect(paths.length).toBeGreaterThan(1000);
  });

  it("H3: a query has a preview_token when URLSearchParams finds one", () => {
    const matches = inJavaScript(HAS_PREVIEW_TOKEN);
    const name = "preview_token";
    const spelled = Array.from(name, (letter, at) => {
      const code = `%${letter.charCodeAt(0).toString(16)}`;
      return [code, code.toUpperCase()].map((one) => name.slice(0, at) + one + name.slice(at + 1));
    }).flat();
    const names = [
      ...spelled,
      name,
      "Preview_token",
      "preview-token",
      "preview_toke",
      "xpreview_token",
    ];
    for (const one of [...names, "preview_tokens", "preview%255Ftoken", "preview+token", ""]) {
      for (const query of [one, `${one}=`, `${one}=1`, `a=1&${one}`, `&${one}&b`, `a?${one}`]) {
        const found = new URLSearchParams(query).has(name);
        expect(matches.test(`/api?${query}`), query).toBe(found);
      }
      expect(matches.test(`/${one}=1`)).toBe(false);
    }
  });

  it("has the media type of every file extension that the server knows", () => {
    const lines = mediaTypes().split("\n");
    const extensions = lines.flatMap((line) => {
      const [, type = "", names = ""] = /^"([^"]+)" ([^;"]+);$/.exec(line) ?? [];
      return names.split(" ").map((extension) => [extension, type] as const);
    });
    for (const [extension, type] of extensions) {
      expect(assetHeaders(`x.${extension}`)["Content-Type"]).toBe(type);
    }
    expect(new Set(extensions.map(([extension]) => extension)).size).toBe(extensions.length);
    expect(extensions.length).toBeGreaterThan(1000);
  });

  it.each([
    ["a folder with a variable's name", { out: "/srv/$out" }, /\$out/],
    ["a folder with a line end", { out: "/srv/a\nb" }, /a\\nb/],
    ["a host name with a semicolon", { out: "/srv/out", serverName: "a; b" }, /a; b/],
    ["a preview without a scheme", { out: "/srv/out", preview: "localhost:4400" }, /localhost/],
    ["a preview with a path", { out: "/srv/out", preview: "http://a/b" }, /a\/b/],
    ["a preview with a password", { out: "/srv/out", preview: "http://u:p@a" }, /u:p/],
    ["a preview by file", { out: "/srv/out", preview: "file:///a" }, /file/],
  ])("is refused for %s", (_what, options, message) => {
    expect(() => nginxConfig(options)).toThrow(UsageError);
    expect(() => nginxConfig(options)).toThrow(message);
  });
});

function decodes(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
