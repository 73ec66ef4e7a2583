import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { formatNamed } from "../../src/import/formats.ts";
import { UsageError } from "../../src/workspace/errors.ts";

const FOLDER = join(import.meta.dirname, "../../src/import");
const textOf = (path: string) => readFileSync(join(FOLDER, path), "utf8");

describe("formats: a new one is one more file", () => {
  /** The files that export a format, by its name. */
  const formats = readdirSync(FOLDER).filter(
    (name) => name.endsWith(".ts") && /: Format = \{/.test(textOf(name)),
  );

  it("each is a file of the room, and the registry has it under its name", () => {
    expect(formats).toEqual(
      expect.arrayContaining(["contentful.ts", "markdown.ts", "sanity.ts", "storyblok.ts"]),
    );
    for (const file of formats) {
      const name = file.replace(/\.ts$/, "");
      expect(formatNamed(name)).toMatchObject({ name, read: expect.any(Function) });
    }
  });

  it("an unknown name is a usage error that lists the known ones", () => {
    expect(() => formatNamed("nothing")).toThrow(UsageError);
    expect(() => formatNamed("__proto__")).toThrow(UsageError);
  });

  it("no other source file mentions a format", () => {
    for (const file of formats) {
      const name = file.replace(/\.ts$/, "");
      const knowing = (readdirSync(join(FOLDER, ".."), { recursive: true }) as string[])
        .map((path) => path.replaceAll("\\", "/"))
        .filter((path) => path.endsWith(".ts") && !path.startsWith(`import/${name}/`))
        .filter((path) =>
          [...textOf(join("..", path)).matchAll(/from "(\.[^"]*)"/g)]
            .map(([, specifier = ""]) => posix.join(posix.dirname(path), specifier))
            .some((target) => target === `import/${file}` || target.startsWith(`import/${name}/`)),
        );
      expect(knowing.sort()).toEqual([`import/${file}`, "import/formats.ts"].sort());
    }
  });
});
