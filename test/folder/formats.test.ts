import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatNamed } from "../../src/folder/formats.ts";
import { UsageError } from "../../src/workspace/errors.ts";

const FOLDER = join(import.meta.dirname, "../../src/folder");
const textOf = (path: string) => readFileSync(join(FOLDER, path), "utf8");

describe("formats: the next one is one more file", () => {
  /** The files that hold a format, by name. */
  const formats = readdirSync(FOLDER).filter(
    (name) => name.endsWith(".ts") && /: Format = \{/.test(textOf(name)),
  );

  it("each is a file beside the folder's reader, found by its name through the registry", () => {
    expect(formats).toContain("contentful.ts");
    for (const file of formats) {
      const name = file.replace(/\.ts$/, "");
      expect(formatNamed(name)).toMatchObject({ name, read: expect.any(Function) });
    }
  });

  it("a name that no format has is wrong usage, which lists those there are", () => {
    expect(() => formatNamed("sanity")).toThrow(UsageError);
    expect(() => formatNamed("__proto__")).toThrow(UsageError);
  });

  it("nothing but its file and the registry knows of a format", () => {
    for (const file of formats) {
      const name = file.replace(/\.ts$/, "");
      const knowing = (readdirSync(join(FOLDER, ".."), { recursive: true }) as string[])
        .map((path) => path.replaceAll("\\", "/"))
        .filter((path) => path.endsWith(".ts") && !path.startsWith(`folder/${name}/`))
        .filter((path) => new RegExp(`from "[^"]*/${name}[./]`).test(textOf(join("..", path))));
      expect(knowing.sort()).toEqual([`folder/${file}`, "folder/formats.ts"]);
    }
  });
});
