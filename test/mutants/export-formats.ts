import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of the formats of other systems beside Contentful: rules X11 to X20. */
export const EXPORT_FORMATS: readonly Mutant[] = [
  ...mutantsOf(
    "src/folder/formats/resolved-types.ts",
    "test/folder/sanity-types.test.ts",
    [
      "X11: values of several kinds get the type of the first one",
      'if (kinds.size > 1) return { type: "mixed", isWhole: true };',
      "",
    ],
    [
      "X11: references beside blocks have no block",
      "      for (const [wrapper, kind] of field.wrappers) {",
      "      for (const [wrapper, kind] of [...field.wrappers].slice(1)) {",
    ],
  ),
  ...mutantsOf("src/folder/formats/categories.ts", "test/folder/sanity-types.test.ts", [
    "X11: blocks of one field have several categories",
    "for (const other of others) parents.set(first(other), first(one));",
    "if (others.length > 9) parents.set(first(one), one);",
  ]),
  ...mutantsOf(
    "src/folder/sanity/selection.ts",
    "test/folder/sanity-documents.test.ts",
    [
      "X12: an entry that was never published is published",
      "if (!published.has(id)) this.#drafts.add(id);",
      "if (published.has(id)) this.#drafts.add(id);",
    ],
    [
      "X12: documents of the system are imported",
      "if (/^(?:sanity|system)\\./.test(type))",
      "if (/^(?:system)\\./.test(type))",
    ],
  ),
  ...mutantsOf(
    "src/folder/sanity/found-value.ts",
    ["test/folder/sanity-documents.test.ts", "test/folder/sanity-walk.test.ts"],
    [
      "X13: a reference in Portable Text loses its key",
      'if (reference !== undefined && !Object.hasOwn(value, "_key")) return reference;',
      "if (reference !== undefined) return reference;",
    ],
    [
      "X13: an image loses its own members",
      "    if (members.length === 0) return asset;",
      "    if (members.length >= 0) return asset;",
    ],
  ),
  ...mutantsOf("src/folder/sanity/asset-refs.ts", "test/folder/sanity-documents.test.ts", [
    "X14: a file outside of the export is read",
    "((?:images|files)\\/[^/\\\\]+)$/.exec(place)",
    "((?:images|files)\\/.+)$/.exec(place)",
  ]),
  ...mutantsOf("src/folder/sanity/schema.ts", "test/folder/sanity-schema.test.ts", [
    "X15: options of the schema are not taken",
    "options: { options: [...new Set(texts)] }",
    "options: {}",
  ]),
  ...mutantsOf("src/folder/formats/resolved-types.ts", "test/folder/storyblok.test.ts", [
    "X15: a value takes the type of its field without --relax",
    "field.expected !== undefined && !this.#relax;",
    "field.expected !== undefined && this.#relax;",
  ]),
  ...mutantsOf("src/folder/formats/convert.ts", "test/folder/storyblok.test.ts", [
    "X4: an export without stories becomes an empty workspace",
    "linked.size === 0",
    "linked.size < 0",
  ]),
  ...mutantsOf("src/folder/formats/notes.ts", "test/folder/sanity-documents.test.ts", [
    "X4: that all entries are drafts is not said",
    "drafts === 0 || drafts < entries",
    "drafts === 0 || drafts <= entries",
  ]),
  ...mutantsOf("src/folder/formats/fates.ts", "test/folder/sanity-documents.test.ts", [
    "X9: the report has ids that the export has not",
    "id: source, became",
    "id, became",
  ]),
  ...mutantsOf("src/folder/formats/seeming-format.ts", "test/cli/import-wrong-format.test.ts", [
    "X4: a wrong format has no hint",
    "format === undefined || format === wanted",
    'format === undefined || wanted !== ""',
  ]),
  ...mutantsOf("src/folder/storyblok/selection.ts", "test/folder/storyblok.test.ts", [
    "X9: stories without content vanish",
    "notes.leaveOut(record.reason);",
    "",
  ]),
  ...mutantsOf("src/folder/storyblok/export-files.ts", "test/folder/storyblok.test.ts", [
    "X9: what is no object vanishes from a list of stories",
    'if (index === undefined || !(member === "stories" || member === "")) continue;',
    'if (!isJsonObject(value) || !(member === "stories" || member === "")) continue;',
  ]),
  ...mutantsOf(
    "src/folder/storyblok/found-value.ts",
    ["test/folder/storyblok.test.ts", "test/folder/storyblok-walk.test.ts"],
    [
      "X17: a link has no reference",
      'if (linktype === "story" && typeof id',
      'if (linktype === "" && typeof id',
    ],
    [
      "X18: an empty translation replaces a value",
      "if (!isEmpty(value)) values.set(name, value);",
      "values.set(name, value);",
    ],
  ),
  ...mutantsOf(
    "src/folder/markdown/found-text.ts",
    "test/folder/markdown.test.ts",
    ["X19: a link has no target", "[href, [target.kind, target]]", "[href]"],
    [
      "X19: a link without a file is not reported",
      "if (link.isWiki || isInside(link.href)) {",
      "if (link.isWiki && isInside(link.href)) {",
    ],
  ),
  ...mutantsOf(
    "src/folder/markdown/front-matter.ts",
    "test/folder/markdown.test.ts",
    ["X19: a text with TOML is published", "let draft = hasToml;", "let draft = false;"],
    [
      "X19: an unclear draft is published",
      "if (said !== false) draft = true;",
      "if (said === true) draft = true;",
    ],
  ),
  ...mutantsOf(
    "src/folder/markdown/text-files.ts",
    "test/folder/markdown.test.ts",
    [
      "X19: only the first faulty text is reported",
      "if (text !== undefined) yield [path, text];",
      "if (text !== undefined) yield [path, text];\n      if (faults.any) break;",
    ],
    [
      "X19: faulty texts are left out",
      "if (!faults.any) return;",
      "if (faults !== undefined) return;",
    ],
  ),
  ...mutantsOf("src/folder/markdown/links.ts", "test/folder/markdown.test.ts", [
    "X19: links in code count",
    "withoutCode(text).matchAll(LINK)",
    "text.matchAll(LINK)",
  ]),
  ...mutantsOf("src/folder/formats/definitions.ts", "test/folder/markdown.test.ts", [
    "X20: the file of the models is not taken",
    "const given = known.get(field.definition.key);",
    "const given = known.get(type.key);",
  ]),
  ...mutantsOf(
    "src/folder/unpack-archive.ts",
    "test/folder/unpack-archive.test.ts",
    ["X16: a path leads out of the archive", 'segment === ".." || ', ""],
    [
      "X16: an archive that ends early is accepted",
      'if (done) throw new Error("it ends early");',
      "if (done) return;",
    ],
  ),
];
