import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { foldersBelow, pathsBelow } from "./support/file-tree.ts";

const ROOT = join(import.meta.dirname, "..");

type Texts = readonly (readonly [path: string, text: string])[];

/** The files below a folder by path, with their texts. */
const textsBelow = (folder: string): Texts =>
  pathsBelow(join(ROOT, folder)).map((path) => [
    path,
    readFileSync(join(ROOT, folder, path), "utf8"),
  ]);

const SOURCES = textsBelow("src").filter(
  // Neither the pages of the rooms nor what makes the client a package of its own is a source.
  ([path]) => !/^(?:[a-z]+\/README\.md|client\/(?:package\.json|dist\/))/.test(path),
);

/** The specifiers of a module's imports and re-exports, types included. */
function specifiersOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].flatMap(
    ([, name]) => name ?? [],
  );
}

/** The same without imports of types only. */
function valueSpecifiersOf(text: string): string[] {
  return specifiersOf(text.replaceAll(/^(?:im|ex)port type [^;]*;/gm, ""));
}

/** The folder of src/ that a path below src/ is in; "" for src/ itself. */
const roomOf = (path: string) => path.split("/").slice(0, -1)[0] ?? "";

/** Whether a file below src/ is bundled for browsers. */
const isBrowserFile = (path: string) => path.startsWith("page/browser/");

/** Whether a file below src/ is printed by `svc cdn`. */
const isEdgeFile = (path: string) => path.startsWith("deploy/edge/printed/");

/** The shared folders, which other folders may import; each imports only those before it. */
const SHARED = ["workspace", "fields", "records", "documents", "diff", "http"];
/** Imports of a folder beyond the shared folders, with the reason. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  // It reads a folder again whenever that changes.
  follow: ["folder"],
  // They replace files.
  folder: ["files"],
  // An export becomes the records of a folder.
  import: ["folder"],
  publish: ["files"],
  // The preview page lays out rich text by the walk of the client, and sends events as previews do.
  page: ["client", "server"],
  store: ["files"],
};
/** The folders that may import all others, and are imported by none. */
const UNRESTRICTED = ["", "cli"];

/** The folders of src/ that a folder may import from. */
function allowedFor(room: string): string[] {
  const place = SHARED.indexOf(room);
  // Browser code imports no other folder.
  if (room === "client") return [room];
  // It is below all that writes.
  if (room === "files") return [room, "workspace"];
  return [room, ...(MORE[room] ?? []), ...(place < 0 ? SHARED : SHARED.slice(0, place))];
}

/** The files that each of these imports by a relative path. */
function importsOf(files: Texts): Map<string, readonly string[]> {
  return new Map(
    files.map(([path, text]) => {
      const relative = specifiersOf(text).filter((name) => name.startsWith("."));
      return [path, relative.map((name) => posix.join(posix.dirname(path), name))];
    }),
  );
}

/** The files that import themselves through others. */
function filesInCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  return [...imports.keys()].filter((path) => {
    const reached = new Set(imports.get(path));
    for (const next of reached) for (const name of imports.get(next) ?? []) reached.add(name);
    return reached.has(path);
  });
}

describe("the architecture", () => {
  it("a file imports values from its own folder, or from workspace, fields, records, documents, diff, http above it", () => {
    const wrong = SOURCES.filter(([path]) => !UNRESTRICTED.includes(roomOf(path))).flatMap(
      ([path, text]) =>
        valueSpecifiersOf(text)
          .filter((name) => name.startsWith("."))
          .map((name) => posix.join(posix.dirname(path), name))
          .filter((imported) => !allowedFor(roomOf(path)).includes(roomOf(imported)))
          .map((imported) => `${path} imports ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  it("every relative import names a file of the program, with its extension", () => {
    const paths = new Set(SOURCES.map(([path]) => path));
    const dangling = SOURCES.flatMap(([path, text]) =>
      specifiersOf(text)
        .filter((name) => name.startsWith("."))
        .filter((name) => !paths.has(posix.join(posix.dirname(path), name)))
        .map((name) => `${path} imports ${name}`),
    );
    expect(dangling).toEqual([]);
    expect(SOURCES.flatMap(([, text]) => specifiersOf(text)).length).toBeGreaterThan(100);
  });

  it("there are no import cycles, types included", () => {
    const example = { a: ["b"], b: ["c"], c: ["b", "d"], d: [] };
    expect(filesInCycles(new Map(Object.entries(example)))).toEqual(["b", "c"]);
    expect(filesInCycles(importsOf(SOURCES))).toEqual([]);
    expect(filesInCycles(importsOf(textsBelow("test")))).toEqual([]);
  });

  it("no folder is named utils, helpers or common", () => {
    for (const top of ["src", "test", "bin"]) {
      const names = foldersBelow(join(ROOT, top)).map((path) => posix.basename(path));
      expect(names.filter((name) => /^(?:utils?|helpers?|common|misc|lib)$/.test(name))).toEqual(
        [],
      );
    }
  });

  it("a file has at most 400 lines, and a name in kebab-case", () => {
    expect(
      SOURCES.filter(([, text]) => text.split("\n").length > 401).map(([path]) => path),
    ).toEqual([]);
    const named = SOURCES.map(([path]) => path).filter((path) => !isBrowserFile(path));
    const right = (path: string) =>
      (isEdgeFile(path)
        ? /^[a-z0-9/-]+\.(?:js|yaml|conf)$/
        : /^[a-z0-9/-]+(?:(?:\.d)?\.ts|\/tsconfig\.json)$/
      ).test(path);
    expect(named.filter((path) => !right(path))).toEqual([]);
    expect(named.filter(isEdgeFile)).not.toEqual([]);
  });

  it("edge functions import only their constants and the runtime's modules", () => {
    const imported = SOURCES.filter(([path]) => isEdgeFile(path)).flatMap(([, text]) =>
      specifiersOf(text.replaceAll(/\/\*\*[\s\S]*?\*\//g, "")),
    );
    const allowed = /^(?:\.\.\/constants\.ts|cloudfront|node:crypto)$/;
    expect(imported.filter((name) => !allowed.test(name))).toEqual([]);
    expect(imported.length).toBeGreaterThan(2);
  });

  it("the preview page's browser code imports only itself, preact, a Markdown parser, ProseMirror, the walk of rich text, what it shares with its server, and types", () => {
    const files = SOURCES.filter(([path]) => isBrowserFile(path));
    const names = files.map(([path]) => path);
    expect(names.filter((path) => !/\/[a-z-]+\.(?:tsx?|css|html|svg)$/.test(path))).toEqual([]);
    const imported = files.flatMap(([, text]) =>
      [...text.matchAll(/^import (?!type\b)[^"=]*"([^"]+)"/gm)].map(([, name = ""]) => name),
    );
    expect(imported.length).toBeGreaterThan(50);
    const allowed =
      /^(?:\.\/[a-z-]+\.tsx?|preact(?:\/hooks)?|markdown-it|prosemirror-[a-z-]+|(?:\.\.\/){2}(?:client\/rich-text(?:-tags)?|fields\/rich-text-tree|workspace\/(?:ids|json|listed))\.ts|\.\.\/(?:edited|uploads|spoken|query-words|left-out|problem-counts)\.ts)$/;
    expect(imported.filter((name) => !allowed.test(name))).toEqual([]);
    const shared = SOURCES.filter(([path]) =>
      /^(?:workspace\/listed|page\/(?:edited|uploads|spoken|query-words|left-out|problem-counts))\.ts$/.test(
        path,
      ),
    );
    expect(shared.length).toBe(7);
    const behind = ["./spoken.ts", "../workspace/conditions.ts", "../workspace/json.ts"];
    expect(shared.flatMap(([, text]) => valueSpecifiersOf(text)).sort()).toEqual(behind.sort());
    const [, conditions = ""] = SOURCES.find(([path]) => path === "workspace/conditions.ts") ?? [];
    expect(specifiersOf(conditions)).toEqual([]);
  });
});

it("what tests draw is drawn by one seed", () => {
  const draws = textsBelow("test").filter(
    ([path, text]) =>
      !/^(?:architecture\.test|support\/random-runs)\.ts$/.test(path) &&
      /\bfc\.(?:assert|check|sample)\(|Math\.random\(\)/.test(text),
  );
  const seeded = (text: string) => /random-runs\.ts"|\/fuzzing\.ts"/.test(text);
  expect(draws.filter(([, text]) => !seeded(text)).map(([path]) => path)).toEqual([]);
  expect(draws.length).toBeGreaterThan(45);
});

describe("the executable", () => {
  it("checks the version of Node before any import", () => {
    const text = readFileSync(join(ROOT, "bin", "svc.ts"), "utf8");
    expect(text).not.toMatch(/^\s*(?:import|export)\s+[^(]/m);
    expect(specifiersOf(text)).toEqual(["../src/cli/main.ts"]);
  });

  /** The packages that a module and all that it imports load before they run. */
  function packagesOf(path: string, seen = new Set<string>()): string[] {
    seen.add(path);
    const [, text = ""] = SOURCES.find(([one]) => one === path) ?? [];
    const names = [...text.matchAll(/^(?:im|ex)port (?!type )(?:[^;"]*from )?"([^"]+)";/gm)];
    return names.flatMap(([, name = ""]) => {
      if (!name.startsWith(".")) return name.startsWith("node:") ? [] : name;
      const inner = posix.join(posix.dirname(path), name);
      return seen.has(inner) ? [] : packagesOf(inner, seen);
    });
  }

  it("loads the modules of a command only when it runs, so that help is fast", () => {
    expect(new Set(packagesOf("cli/main.ts"))).toEqual(new Set(["commander"]));
    expect(packagesOf("cli/commands/cdn.ts").join()).not.toMatch(/@aws-sdk|@smithy/);
    expect(packagesOf("cli/commands/import.ts")).toContain("better-sqlite3");
  });
});
