import { describe, expect, it } from "vitest";
import { nginxConfig } from "../../../src/deploy/edge/nginx.ts";
import {
  assetHeaders,
  COMMON_HEADERS,
  IMMUTABLE,
  PREFLIGHT_HEADERS,
  PREVIEW_HEADERS,
  PUBLISHED_HEADERS,
  SANDBOXED,
} from "../../../src/http/published-headers.ts";
import { UsageError } from "../../../src/workspace/errors.ts";

const CONFIG = nginxConfig({ out: "/srv/out", accessLog: "off" });

/** The pattern by which a map selects a value, without the syntax of PCRE that JavaScript lacks. */
function patternFor(value: string): RegExp {
  const [, flag, pattern = ""] =
    new RegExp(String.raw`^ *"~(\*?)(.*)" ${value.replace("$", "\\$")};$`, "m").exec(CONFIG) ?? [];
  const plain = pattern.replaceAll("*+", "*").replaceAll(String.raw`\z`, "$");
  return new RegExp(plain, flag ? "i" : "");
}

describe("nginx's configuration", () => {
  it("H4: a path is well formed when decodeURIComponent accepts it", () => {
    const wellFormed = patternFor("$svc_ambiguous");
    const tails = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
    const heads = [
      0x00,
      0x41,
      ...tails,
      0xc1,
      0xc2,
      0xdf,
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
    const matches = patternFor("1");
    const name = "preview_token";
    const spelled = Array.from(name, (letter, at) => {
      const code = `%${letter.charCodeAt(0).toString(16)}`;
      return [code, code.toUpperCase()].map((one) => name.slice(0, at) + one + name.slice(at + 1));
    }).flat();
    const others = ["Preview_token", "preview-token", "preview_toke", "xpreview_token", ""];
    for (const one of [...spelled, name, ...others, "preview_tokens", "preview+token"]) {
      for (const query of [one, `${one}=`, `${one}=1`, `a=1&${one}`, `&${one}&b`, `a?${one}`]) {
        const found = new URLSearchParams(query).has(name);
        expect(matches.test(`/api?${query}`), query).toBe(found);
      }
      expect(matches.test(`/${one}=1`)).toBe(false);
    }
  });

  it("H1, H2: has the headers of the server", () => {
    for (const headers of [COMMON_HEADERS, PREFLIGHT_HEADERS]) {
      for (const [name, value] of Object.entries(headers)) {
        expect(CONFIG).toMatch(
          new RegExp(`add_header ${name} "?${value.toString().replace("*", "\\*")}"? always;`),
        );
      }
    }
    for (const value of [PUBLISHED_HEADERS["Cache-Control"], IMMUTABLE]) {
      expect(CONFIG).toContain(`/" "${value}";`);
    }
    expect(CONFIG).toContain(`{ "~${SANDBOXED.source}" sandbox; }`);
    for (const value of Object.values(PREVIEW_HEADERS)) expect(CONFIG).toContain(` ${value};`);
  });

  it("has the media type of every file extension that the server knows", () => {
    const extensions = CONFIG.split("\n").flatMap((line) => {
      const [, type = "", names = ""] = /^ {6}([\w.+-]+\/[\w.+-]+) ([^;"]+);$/.exec(line) ?? [];
      return names.split(" ").map((extension) => [extension, type] as const);
    });
    const known = extensions.filter(([extension]) => extension !== "");
    const listed = /^ *charset_types (.*);$/m.exec(CONFIG)?.[1]?.split(" ") ?? [];
    for (const [extension, type] of known) {
      const charset = type === "text/html" || listed.includes(type) ? "; charset=utf-8" : "";
      expect(assetHeaders(`x.${extension}`)["Content-Type"]).toBe(type + charset);
    }
    expect(new Set(known.map(([extension]) => extension)).size).toBe(known.length);
    expect(known.length).toBeGreaterThan(1000);
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
    expect(() => nginxConfig({ accessLog: "off", ...options })).toThrow(UsageError);
    expect(() => nginxConfig({ accessLog: "off", ...options })).toThrow(message);
  });

  it("quotes the folder, and expands nothing in it", () => {
    const text = nginxConfig({ accessLog: "off", out: '/srv/a "b" {{id}} #if \\t; }' });
    expect(text).toContain('  root "/srv/a \\"b\\" {{id}} #if \\\\t; }";\n');
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
