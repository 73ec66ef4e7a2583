// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are TypeScript
import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of ids, keys and values: rules I, V, and of S and P what fields keep. */
export const VALUES: readonly Mutant[] = [
  ...mutantsOf(
    "src/workspace/ids.ts",
    "test/folder/ids-and-keys.test.ts",
    [
      "I1: an id may start with a dot",
      "/^[A-Za-z0-9_-]([A-Za-z0-9._-]{0,126}",
      "/^[A-Za-z0-9._-]([A-Za-z0-9._-]{0,126}",
    ],
    [
      "I2: a key may start with a digit",
      "/^[A-Za-z][A-Za-z0-9_-]{0,127}$/",
      "/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/",
    ],
  ),
  ...mutantsOf(
    "src/folder/record-rules.ts",
    ["test/folder/ids-and-keys.test.ts", "test/folder/keyword-keys.test.ts"],
    [
      "I1: experience ids may differ in letter case only",
      '...listFaults(record, "experiences", "experience", true)',
      '...listFaults(record, "experiences", "experience")',
    ],
    [
      "I1: project ids may differ in letter case only",
      'new Distinct("project id", true)',
      'new Distinct("project id")',
    ],
    [
      "I3: a model may have a JSON Schema keyword as key",
      '          ...keywordFaults(record.key, ["key"]),\n',
      "",
    ],
  ),
  ...mutantsOf(
    "src/fields/record-renderer.ts",
    [
      "test/fields/values.test.ts",
      "test/fields/field-types.test.ts",
      "test/fields/values-of-assets.test.ts",
      "test/fields/values-of-rich-text.test.ts",
      "test/documents/problems-errors.test.ts",
    ],
    [
      "V1: only the first field is served",
      "      if (value !== undefined) served[field.key] = value;",
      "      if (value !== undefined) served[field.key] = value;\n      if (field !== fields[0]) delete served[field.key];",
    ],
    ["V1: inherited members are values", "ownMember(stored, field.key)", "stored[field.key]"],
    [
      "V2: a repeatable field without a value is absent",
      "return field.repeatable ? [] : undefined;",
      "return undefined;",
    ],
    [
      "V3: a value of the wrong shape is served",
      'this.report("value-type", { expected: type.shape });\n      return undefined;',
      'this.report("value-type", { expected: type.shape });\n      return stored;',
    ],
    [
      "V3: a repeatable field that is no array is absent",
      'this.report("value-type", { expected: "list" });\n      return [];',
      'this.report("value-type", { expected: "list" });\n      return undefined;',
    ],
    [
      "V3: a value that breaks a constraint is not served",
      'if (broken !== undefined) this.report("value-constraint", broken);',
      'if (broken !== undefined) return void this.report("value-constraint", broken);',
    ],
    ["V11: empty rich text is a required value", "type.isEmpty?.(stored)", "stored === undefined"],
    [
      "P2: a missing required value is not reported",
      "if (field.required) {",
      "if (field.required && field.repeatable) {",
    ],
    [
      "P2: an empty list is missing",
      "if (stored === undefined || stored === null) {",
      'if (stored === undefined || stored === null || String(stored) === "") {',
    ],
    ["P2: as many items as the minimum are too few", "count < minItems", "count <= minItems"],
    [
      "V4: a version that the asset does not have is served",
      "asset?.versions?.find(({ id }) => id === versionId)",
      "asset?.versions?.find(({ id }) => id === versionId) ?? asset",
    ],
  ),
  ...mutantsOf(
    "src/fields/asset.ts",
    "test/fields/values-of-assets.test.ts",
    [
      "V4: a file that is no image has a width",
      "width: isImage ? file.width : null,",
      "width: file.width,",
    ],
    [
      "V4: a missing asset has no version",
      "return { id: assetId, ...(versionId !== undefined && { versionId }) };",
      "return { id: assetId };",
    ],
    [
      "V4: the id of a version is served",
      "      id: assetId,\n      mimeType",
      "      id: file.id,\n      mimeType",
    ],
    [
      "V4b: an asset given by url gets another url",
      'if (sha256 === undefined) return url ?? "";',
      "if (sha256 === undefined) return `${renderer.lookup.draft.workspace.assetBaseUrl}${url}`;",
    ],
  ),
  ...mutantsOf("src/workspace/asset.ts", "test/fields/values-of-assets.test.ts", [
    "V4b: file names are not encoded in urls",
    "encodeURIComponent(fileName)",
    "fileName",
  ]),
  ...mutantsOf("src/fields/record-renderer.ts", "test/documents/references-in-blocks.test.ts", [
    "E3: pointers inside blocks do not count",
    "this.#pointers = added(",
    'if (!this.#path.includes("data")) this.#pointers = added(',
  ]),
  ...mutantsOf(
    "src/fields/html-asset.ts",
    "test/fields/values-of-html.test.ts",
    [
      "V5: a byte order mark is dropped",
      "fatal: true, ignoreBOM: true",
      "fatal: true, ignoreBOM: false",
    ],
    ["V5: invalid UTF-8 is served", "fatal: true, ignoreBOM", "fatal: false, ignoreBOM"],
  ),
  ...mutantsOf(
    "src/fields/content-block.ts",
    [
      "test/fields/values-of-blocks.test.ts",
      "test/documents/problems-errors.test.ts",
      "test/documents/schema-definitions.test.ts",
    ],
    [
      "V6: a deleted block is served",
      '    renderer.report("block-deleted", { block: contentBlockId, ...meant });\n    return undefined;',
      '    renderer.report("block-deleted", { block: contentBlockId, ...meant });\n    return { contentBlockId, data };',
    ],
    [
      "V6: the data of blocks is served as stored",
      "const served = renderer.data(block.fields, data);",
      "renderer.data(block.fields, data);\n    const served = data;",
    ],
    [
      "P2: a block of any category is accepted",
      "return field.category === undefined || block.category === field.category;",
      "return field.category === undefined || block.category !== undefined;",
    ],
    ["S3: a single content block is required", "canVanish: true,", "canVanish: false,"],
  ),
  ...mutantsOf(
    "src/fields/reference.ts",
    [
      "test/fields/values-of-references.test.ts",
      "test/documents/schema-definitions.test.ts",
      "test/documents/problems-errors.test.ts",
      "test/documents/problems-warnings.test.ts",
    ],
    [
      "V7: pointers have no model key",
      "return contentModelKey === undefined ? { contentEntryId } :",
      "return contentModelKey !== undefined ? { contentEntryId } :",
    ],
    [
      "S5: a pointer without a model key is not valid",
      '          required: ["contentEntryId"],',
      '          required: ["contentEntryId", "contentModelKey"],',
    ],
    [
      "S5: a pointer has no data",
      "            data: { $ref: `#/$defs/contentModels/${key}` },\n",
      "",
    ],
    [
      "P2: a target of any model is accepted",
      "return field.models?.includes(modelKey) ?? true;",
      "return field.models?.includes(modelKey) || true;",
    ],
    [
      "P3: a target in another workspace is reported as deleted",
      'isForeign ? "reference-other-workspace"',
      'isForeign ? "reference-deleted"',
    ],
  ),
  ...mutantsOf(
    "src/fields/record-renderer.ts",
    "test/documents/problems-misspelt.test.ts",
    [
      "P9: values without a field are reported only where there are two",
      "if (known < memberCount(stored))",
      "if (known + 1 < memberCount(stored))",
    ],
    [
      "P9: null without a field is reported",
      "if (value === null || keys.has(key)) continue;",
      "if (keys.has(key)) continue;",
    ],
    [
      "P11: an option that refuses a value is a warning",
      'this.#add({ ...one, level: "error" });',
      "this.#add(one);",
    ],
  ),
  ...mutantsOf("src/fields/suggested.ts", "test/documents/problems-misspelt.test.ts", [
    "P10: the first suggestion is that of every name",
    "ofOwner.get(name)",
    "[...ofOwner.values()][0]",
  ]),
  ...mutantsOf("src/fields/refuse.ts", "test/documents/problems-misspelt.test.ts", [
    "P11: a misspelt option hides the references to other models",
    "if (isMeant || acceptsNothing)",
    "if (unknown.length > 0)",
  ]),
  ...mutantsOf(
    "src/fields/refuse.ts",
    "test/fields/values-of-rich-text.test.ts",
    [
      "V11: an option without names hides what it refuses",
      "const acceptsNothing = unknown.length > 0 && unknown",
      "const acceptsNothing = unknown",
    ],
    [
      "V11: a misspelt model hides refused blocks",
      "args.option === option",
      "args.option !== name",
    ],
  ),
  ...mutantsOf(
    "src/fields/rich-text-tree.ts",
    "test/fields/values-of-rich-text.test.ts",
    [
      "V11: mistyped pointers are nodes",
      'if (member !== undefined) return { found: "pointer", member };',
      "if (member !== undefined) return undefined;",
    ],
    ["V11: misspelt pointers are nodes", "didYouMean(name, POINTER_MEMBERS, 1)", "undefined"],
    [
      "V11: null and numbers are nodes",
      'if (place !== "other" && typeof value !== "string") {',
      'if (place === "mark" && typeof value !== "string") {',
    ],
    [
      "V11: a document without a node is a value",
      "return isNothing(value) || (NAME_MEMBERS.includes(name)",
      "return isNothing(value) && (NAME_MEMBERS.includes(name)",
    ],
    [
      "V11: a pointer may have other members",
      "if (names.length > 2) return undefined;",
      'if (names.length > 2 && !names.includes("contentBlockId")) return undefined;',
    ],
    [
      "V11: an asset has any version",
      'return isText("versionId") ? "asset" : undefined;',
      'return "asset";',
    ],
    [
      "V11: what is inside of lists in lists is not served",
      'return this.list(value, "other");',
      "return value;",
    ],
    [
      "V11: served pointers may be stored",
      "names.every((name) => Object.hasOwn(value, name))",
      "names.every((name) => name in {})",
    ],
    [
      "V11: any object has the name of a node",
      'return place === "node" ? this.#node(value) : this.#object(value, "other");',
      "return this.#node(value);",
    ],
    ["V11: keys of mark definitions are names", "!this.#markKeys.includes(value)", "true"],
    [
      "V11: a block without definition is null",
      "if (changed !== undefined && now !== undefined) changed.push(now);",
      "if (changed !== undefined) changed.push(now ?? null);",
    ],
  ),
  ...mutantsOf(
    "src/fields/rich-text.ts",
    ["test/fields/values-of-rich-text.test.ts", "test/fields/field-types.test.ts"],
    [
      "V11: a pointer alone is rich text",
      "value !== null && pointerKind(value) === undefined,",
      "value !== null,",
    ],
    [
      "V11: any block is accepted",
      "if (accepted === undefined || accepted.includes(key)) return;",
      "if (accepted === undefined || accepted.length > 0) return;",
    ],
    [
      "V11: problems are at the field",
      "enter: (segment) => renderer.enter(segment),\n      leave: () => renderer.leave(),",
      "",
    ],
  ),
  ...mutantsOf(
    "src/fields/rich-text-schema.ts",
    "test/documents/schema-rich-text.test.ts",
    [
      "S10: any served pointer is valid",
      "return treeSchema(field, at, pointers, reserved);",
      "return treeSchema(field, at, pointers, STORED_POINTERS);",
    ],
    [
      "S10: nodes have any names",
      "properties: members, ...named(nodeTypes)",
      "properties: members",
    ],
    ["S10: marks have any names", "...object, ...named(marks)", "...object"],
  ),
  ...mutantsOf("src/diff/compare-shapes.ts", "test/diff/diff-verdict-types.test.ts", [
    "S10: what rich text accepts is not compared",
    "return pointersOf(before).flatMap(",
    "return pointersOf({ $defs: { pointer: before } }).flatMap(",
  ]),
  ...mutantsOf("src/fields/text.ts", "test/fields/values.test.ts", [
    "V12: every text is Markdown",
    'field.format === "markdown" &&',
    'field.format !== "html" &&',
  ]),
  ...mutantsOf("src/fields/content-block.ts", "test/documents/problems-misspelt.test.ts", [
    "P11: a category that no block has is an error for each block",
    "if (unknown === undefined) renderer.report",
    "if (unknown !== undefined) renderer.report",
  ]),
  ...mutantsOf("src/folder/record-rules.ts", "test/folder/record-faults.test.ts", [
    "S9: a boolean feature may have variants",
    'if (type !== "boolean" || ',
    'if (type === "boolean" || ',
  ]),
  ...mutantsOf(
    "src/fields/json.ts",
    ["test/fields/values.test.ts", "test/fields/field-types.test.ts"],
    ["V8: null is a json value", "value !== null,", "value !== undefined,"],
  ),
  ...mutantsOf(
    "src/fields/text.ts",
    ["test/fields/field-types.test.ts", "test/documents/problems-errors.test.ts"],
    [
      "V3: lengths count code units",
      "const count = codePoints(value);",
      "const count = value.length;",
    ],
  ),
  ...mutantsOf(
    "src/fields/data-schema.ts",
    ["test/documents/schema-definitions.test.ts", "test/documents/schema-strict.test.ts"],
    [
      "S2: further members are allowed",
      "additionalProperties: false,",
      "additionalProperties: true,",
    ],
    [
      "S3: a repeatable field is optional",
      "return field.repeatable || (field.required",
      "return (field.required",
    ],
    [
      "S3: required fields are in the model's order",
      "      .map(({ key }) => key)\n      .sort(),",
      "      .map(({ key }) => key),",
    ],
  ),
  ...mutantsOf("src/fields/pattern/pattern.ts", "test/fields/patterns.test.ts", [
    "P4: exponential patterns are not reported",
    'isUnbounded ? "exponential" : undefined',
    "undefined",
  ]),
  ...mutantsOf(
    "src/fields/pattern/timed-tests.ts",
    "test/fields/patterns.test.ts",
    ["P4: all values may take a minute together", "all: 5000 }", "all: 60_000 }"],
    ["P4: values have no time together", "Math.ceil(all - this.#spent)", "all"],
    [
      "P4: one value may take the time of all",
      "Math.min(one, Math.ceil(all - this.#spent))",
      "Math.ceil(all - this.#spent)",
    ],
  ),
  ...mutantsOf("src/folder/record-shapes.ts", "test/folder/record-faults.test.ts", [
    "V10: a field of any type may be unique",
    "if (FIELD_TYPES.get(type)?.canBeUnique) return undefined;",
    "if (FIELD_TYPES.has(type)) return undefined;",
  ]),
  ...mutantsOf("src/folder/record-rules.ts", "test/folder/record-faults.test.ts", [
    "V10: a field of a block may be unique",
    'unique === true && kind !== "models"',
    'unique === undefined && kind !== "models"',
  ]),
];
