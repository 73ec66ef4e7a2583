import { describe, expect, it } from "vitest";
import { mediaTypes } from "../../../../src/deploy/edge/function/media-types.ts";
import {
  ASKS_FOR_PREVIEW,
  WELL_FORMED,
} from "../../../../src/deploy/edge/function/request-patterns.ts";
import { nginxConfig } from "../../../../src/deploy/edge/nginx/nginx.ts";
import { assetHeaders } from "../../../../src/http/published-headers.ts";
import { UsageError } from "../../../../src/workspace/errors.ts";

/** The parts of PCRE that JavaScript spells otherwise. */
const inJavaScript = (pattern: string) =>
  new RegExp(pattern.replaceAll("*+", "*").replaceAll(String.raw`\z`, "$"));

describe("nginx's configuration", () => {
  it("H4: an address is well formed when decodeURIComponent takes it", () => {
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

  it("H3: a query asks for a preview when URLSearchParams finds a preview_token in it", () => {
    const asks = inJavaScript(ASKS_FOR_PREVIEW);
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
        expect(asks.test(`/api?${query}`), query).toBe(found);
      }
      expect(asks.test(`/${one}=1`)).toBe(false);
    }
  });

  it("knows the type of every ending that the server knows", () => {
    const lines = mediaTypes().split("\n");
    const endings = lines.flatMap((line) => {
      const [, type = "", names = ""] = /^"([^"]+)" ([^;"]+);$/.exec(line) ?? [];
      return names.split(" ").map((ending) => [ending, type] as const);
    });
    for (const [ending, type] of endings) {
      expect(assetHeaders(`x.${ending}`)["Content-Type"]).toBe(type);
    }
    expect(new Set(endings.map(([ending]) => ending)).size).toBe(endings.length);
    expect(endings.length).toBeGreaterThan(1000);
  });

  it.each([
    ["a folder with a variable's name", { out: "/srv/$out" }, /\$out/],
    ["a folder with a line end", { out: "/srv/a\nb" }, /a\\nb/],
    ["a host name with a semicolon", { out: "/srv/out", serverName: "a; b" }, /a; b/],
    ["a preview that is no address", { out: "/srv/out", preview: "localhost:4400" }, /localhost/],
    ["a preview with a path", { out: "/srv/out", preview: "http://a/b" }, /a\/b/],
    ["a preview with a password", { out: "/srv/out", preview: "http://u:p@a" }, /u:p/],
    ["a preview by file", { out: "/srv/out", preview: "file:///a" }, /file/],
  ])("is refused for %s", (_what, options, told) => {
    expect(() => nginxConfig(options)).toThrow(UsageError);
    expect(() => nginxConfig(options)).toThrow(told);
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
