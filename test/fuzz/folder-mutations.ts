import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import fc from "fast-check";
import { ODD_NAMES, ODD_TEXTS, ODD_VALUES } from "./odd-json.ts";

/** A parsed JSON text that can be serialized incorrectly: members are a list. */
type JsonTree =
  | { readonly kind: "raw"; text: string }
  | { readonly kind: "array"; items: JsonTree[] }
  | { readonly kind: "object"; members: [name: string, value: JsonTree][] };

function raw(text: string): JsonTree {
  return { kind: "raw", text };
}

function toTree(value: unknown): JsonTree {
  if (typeof value !== "object" || value === null) return raw(JSON.stringify(value));
  if (Array.isArray(value)) return { kind: "array", items: value.map(toTree) };
  const members = Object.entries(value).map(([name, member]): [string, JsonTree] => [
    JSON.stringify(name),
    toTree(member),
  ]);
  return { kind: "object", members };
}

function textOf(tree: JsonTree): string {
  if (tree.kind === "raw") return tree.text;
  if (tree.kind === "array") return `[${tree.items.map(textOf).join(",")}]`;
  return `{${tree.members.map(([name, value]) => `${name}:${textOf(value)}`).join(",")}}`;
}

/** A value of a tree, with operations on it. */
interface Place {
  readonly value: JsonTree;
  put(value: JsonTree): void;
  delete(): void;
  /** Duplicates the member or element. */
  repeat(value: JsonTree): void;
  /** Renames a member (to a JSON text); absent for elements. */
  rename(name: string): void;
}

/** The places of all values below the root. */
function placesIn(tree: JsonTree): Place[] {
  if (tree.kind === "raw") return [];
  const list: unknown[] = tree.kind === "array" ? tree.items : tree.members;
  return [...list.keys()].flatMap((index) => {
    const element = list[index];
    const named = tree.kind === "object" ? (element as [string, JsonTree]) : undefined;
    const value = named?.[1] ?? (element as JsonTree);
    const entry = (given: JsonTree, name = named?.[0]) =>
      name === undefined ? given : [name, given];
    const place: Place = {
      value,
      put: (given) => void list.splice(index, 1, entry(given)),
      delete: () => void list.splice(index, 1),
      repeat: (given) => void list.splice(index, 0, entry(given)),
      rename: (name) => void (named && list.splice(index, 1, entry(value, name))),
    };
    return [place, ...placesIn(value)];
  });
}

/** A mutation of a workspace folder; numbers pick the file (and the place), modulo their count. */
export type FolderMutation = readonly [what: keyof typeof APPLY, file: number, ...how: number[]];

const ODD_FILE_NAMES = [
  "a.json",
  ".hidden.json",
  "A.JSON",
  "x.ndjson",
  "é.json",
  "a b.json",
  "~.json",
  "%2e.json",
  "\n.json",
  "\u202e.json",
  "__proto__.json",
  `${"n".repeat(250)}.json`,
  "\\.json",
  "-.json",
];
const FORMS = ["models", "blocks", "features", "projects", "entries", "assets"];
/** Targets of links are never changed here, and no link leads out of the test's folder. */
const LINKS = ["..", ".", "nowhere", "workspace.json", "entries", "features.json"];

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

/** Edits the bytes of a file; a number picks the place. */
function edit(path: string, work: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, work(readFileSync(path)));
}

function editJson(path: string, work: (tree: JsonTree) => void): void {
  let tree: JsonTree;
  try {
    tree = toTree(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return; // Broken by an earlier mutation already, or no JSON.
  }
  work(tree);
  writeFileSync(path, textOf(tree));
}

function inJson(work: (place: ReturnType<typeof placesIn>[number], how: number) => void) {
  return (_folder: string, path: string, where: number, how: number) =>
    editJson(path, (tree) => {
      const places = placesIn(tree);
      if (places.length > 0) work(at(places, where), how);
    });
}

type Apply = (folder: string, path: string, where: number, how: number) => void;

const APPLY = {
  overwriteByte: (_folder, path, where, how) =>
    edit(path, (bytes) => {
      if (bytes.length > 0) bytes[where % bytes.length] = how % 256;
      return bytes;
    }),
  insertByte: (_folder, path, where, how) =>
    edit(path, (bytes) => {
      const here = where % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, here), Buffer.of(how % 256), bytes.subarray(here)]);
    }),
  deleteBytes: (_folder, path, where, how) =>
    edit(path, (bytes) => {
      const here = where % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, here), bytes.subarray(here + 1 + (how % 40))]);
    }),
  truncate: (_folder, path, where) =>
    edit(path, (bytes) => bytes.subarray(0, where % (bytes.length + 1))),
  prepend: (_folder, path, where) =>
    edit(path, (bytes) => Buffer.concat([Buffer.from(at(ODD_TEXTS, where)), bytes])),
  append: (_folder, path, where) =>
    edit(path, (bytes) => Buffer.concat([bytes, Buffer.from(at(ODD_TEXTS, where))])),
  become: (_folder, path, where) => writeFileSync(path, at([...ODD_TEXTS, ...ODD_VALUES], where)),
  put: inJson((place, how) => place.put(raw(at(ODD_VALUES, how)))),
  exchange: inJson((place, how) => {
    const others = placesIn(place.value);
    place.put(others.length > 0 ? at(others, how).value : raw(`[${textOf(place.value)}]`));
  }),
  repeat: inJson((place, how) =>
    place.repeat(how % 2 ? place.value : raw(at(ODD_VALUES, how >> 1))),
  ),
  delete: inJson((place) => place.delete()),
  rename: inJson((place, how) => place.rename(at(ODD_NAMES, how))),
  renameFile: (_folder, path, where) => {
    const to = join(dirname(path), at(ODD_FILE_NAMES, where));
    if (lstatSync(to, { throwIfNoEntry: false }) === undefined) renameSync(path, to);
  },
  removeFile: (_folder, path) => rmSync(path),
  becomeFolder: (_folder, path) => {
    rmSync(path);
    mkdirSync(path);
  },
  becomeLink: (_folder, path, where) => {
    rmSync(path);
    symlinkSync(at([...LINKS, basename(path)], where), path);
  },
  folderBecomesFile: (folder, _path, where, how) => {
    const path = at([...below(folder, "folders"), join(folder, "entries")], where);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, at(ODD_TEXTS, how));
  },
  secondForm: (folder, _path, where, how) => {
    const path = join(folder, `${at(FORMS, where)}${at([".json", ".ndjson", ""], how)}`);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
    writeFileSync(path, at([...ODD_TEXTS, ...ODD_VALUES], how >> 2));
  },
} satisfies Record<string, Apply>;

/** One to four mutations. */
export const folderMutations: fc.Arbitrary<FolderMutation[]> = fc.array(
  fc.tuple(
    fc.constantFrom(...(Object.keys(APPLY) as (keyof typeof APPLY)[])),
    fc.nat(),
    fc.nat(),
    fc.nat(),
  ) as fc.Arbitrary<FolderMutation>,
  { minLength: 1, maxLength: 4 },
);

/**
 * Files or folders below a folder, without following links. (`readdirSync` with `recursive` would
 * follow them, and mutations must stay inside the folder.)
 */
function below(folder: string, kind: "files" | "folders"): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const inOrder = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return inOrder.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return [...(kind === "folders" ? [path] : []), ...below(path, kind)];
    return entry.isFile() && kind === "files" ? [path] : [];
  });
}

/** @throws Error for a path outside the test's temporary folder. */
function refuseOutside(folder: string, path: string): void {
  const root = realpathSync(folder);
  const parent = realpathSync(dirname(path));
  const isOwn = root.startsWith(join(realpathSync(tmpdir()), "svc-test-"));
  if (isOwn && (parent === root || parent.startsWith(root + sep))) return;
  throw new Error(`"${path}" is outside of the folder that may be mutated`);
}

/** Applies mutations in order to a folder below one of `temporaryFolder`. */
export function mutateFolder(folder: string, mutations: readonly FolderMutation[]): void {
  for (const [what, file, where = 0, how = 0] of mutations) {
    const paths = below(folder, "files");
    if (paths.length === 0) return;
    const path = at(paths, file);
    refuseOutside(folder, path);
    (APPLY[what] as Apply)(folder, path, where, how);
  }
}
