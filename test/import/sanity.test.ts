import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sanity } from "../../src/import/sanity.ts";
import { importRows } from "../support/import-rows.ts";
import { publishedImport } from "../support/published-import.ts";
import { NO_OPTIONS } from "../support/read-export.ts";
import {
  datasetFolder,
  image,
  type Loose,
  readDataset,
  ref,
  SVG,
  textBlock,
} from "../support/sanity/dataset.ts";
import { rawDocuments, valueFates } from "../support/sanity/dataset-walk.ts";

/** What rows write short, of documents and of extracted schemas. */
function whole(value: unknown): unknown {
  if (typeof value === "string") {
    const [, kind, name = ""] = /^(ref|image|slug):(.+)$/.exec(value) ?? [];
    if (kind === "ref") return ref(name);
    if (kind === "image") return image(name);
    return kind === "slug" ? { _type: "slug", current: name } : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(whole);
  const { $ref, $image, $block, ...members } = value as Loose;
  const more = Object.fromEntries(Object.entries(members).map(([name, one]) => [name, whole(one)]));
  if ($ref !== undefined) return ref($ref, more);
  if ($image !== undefined) return image($image, more);
  return $block === undefined ? more : textBlock($block, more);
}

/** A type of an extracted schema: `string`, `"a text"`, `to:<document>`, `+<type>`, or by its members. */
function typeIn(value: unknown): unknown {
  if (typeof value === "string") {
    if (value.startsWith('"')) return { type: "string", value: value.slice(1, -1) };
    if (value.startsWith("+")) return { type: "inline", name: value.slice(1) };
    if (!value.startsWith("to:")) return { type: value };
    const attributes = { _ref: { type: "objectAttribute", value: { type: "string" } } };
    return { type: "object", attributes, dereferencesTo: value.slice(3) };
  }
  const { $object, $union, $list, ...type } = value as Loose;
  if ($object !== undefined) return { type: "object", attributes: attributesIn($object) };
  if ($union !== undefined) return { type: "union", of: $union.map(typeIn) };
  if ($list !== undefined) return { type: "array", of: { type: "union", of: $list.map(typeIn) } };
  return type.of?.$object === undefined ? type : { ...type, of: typeIn(type.of) };
}

/** A name with `!` is one that each object has. */
const attributesIn = (types: Loose) =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [
      name.replace("!", ""),
      {
        type: "objectAttribute",
        value: typeIn(type),
        ...(!name.endsWith("!") && { optional: true }),
      },
    ]),
  );

const topLevel = ({ value, attributes, ...type }: Loose) => ({
  ...type,
  ...(value !== undefined && { value: typeIn(value) }),
  ...(attributes !== undefined && { attributes: attributesIn(attributes.$attributes ?? {}) }),
});

/** Documents by their id; `value` is the field of a page each, a number in `text` so many open lists. */
function folderOf({ documents = {}, raw = [], value = [], files = {}, text, file }: Loose): string {
  const named = Object.entries<Loose>(documents).map(([_id, one]) => ({
    _id,
    _type: "page",
    ...one,
  }));
  const pages = value.map((field: unknown, at: number) => ({
    _id: `p${at}`,
    _type: "page",
    field,
  }));
  const given = Object.entries(files).map(([name, one]) => [name, one ?? SVG]);
  const deep = (part: unknown) => (typeof part === "number" ? "[".repeat(part) : part);
  const more = text && { [file ?? "data.ndjson"]: text.map(deep).join("") };
  return datasetFolder([...named, ...raw, ...pages], { ...Object.fromEntries(given), ...more });
}

importRows("sanity", {
  source: ["documents", "raw", "value", "files", "text", "file", "schema"],
  expand: whole,
  read(row, options) {
    const { file, schema } = row;
    const folder = folderOf(row);
    if (schema === undefined) return readDataset(file ? join(folder, file) : folder, options);
    const types = Array.isArray(schema) ? schema.map(topLevel) : schema;
    const path = join(folder, "schema.json");
    writeFileSync(path, typeof types === "string" ? types : JSON.stringify(types));
    return readDataset(folder, { schema: path, ...options });
  },
  views: {
    secrets: ({ entries }) => JSON.stringify(entries).split("SECRET").length - 1,
    walk(_, row) {
      const folder = folderOf(row);
      const { bed, assets } = publishedImport(sanity, [folder]);
      return valueFates(bed, rawDocuments(join(folder, "data.ndjson")), assets);
    },
  },
});

it("sanity: bytes that are not UTF-8, missing files and several files are refused", () => {
  const folder = datasetFolder([{ _id: "a", _type: "page" }]);
  expect(() => readDataset(folder, { schema: "gone" })).toThrow("is not an extracted schema");
  writeFileSync(join(folder, "data.ndjson"), Buffer.from([0xff, 0x7b]));
  expect(() => readDataset(folder)).toThrow("it is not UTF-8");
  expect(() => readDataset(join(folder, "gone"))).toThrow("there is no file or folder");
  writeFileSync(join(folder, "other.ndjson"), "");
  expect(() => readDataset(join(folder, ".."))).toThrow("it is not UTF-8");
  expect(() => sanity.read([folder, folder], NO_OPTIONS)).toThrow("one file or folder");
});
