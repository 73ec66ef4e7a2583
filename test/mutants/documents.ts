// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are TypeScript
import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of values, documents and problems: rules I, V, C, E, S and P. */
export const DOCUMENTS: readonly Mutant[] = [
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
    "src/fields/record-serving.ts",
    [
      "test/fields/values.test.ts",
      "test/fields/field-types.test.ts",
      "test/fields/values-of-assets.test.ts",
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
    [
      "P2: a missing required value is not reported",
      "if (field.required) this.report",
      "if (field.required && field.repeatable) this.report",
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
      "if (sha256 === undefined) return `${serving.lookup.draft.workspace.assetBaseUrl}${url}`;",
    ],
  ),
  ...mutantsOf("src/workspace/asset.ts", "test/fields/values-of-assets.test.ts", [
    "V4b: file names are not encoded in urls",
    "encodeURIComponent(fileName)",
    "fileName",
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
      '      serving.report("block-deleted", { block: contentBlockId });\n      return undefined;',
      '      serving.report("block-deleted", { block: contentBlockId });\n      return { contentBlockId, data };',
    ],
    [
      "V6: the data of blocks is served as stored",
      "const served = serving.data(block.fields, data);",
      "serving.data(block.fields, data);\n    const served = data;",
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
  ...mutantsOf(
    "src/documents/project-config.ts",
    "test/documents/project-config.test.ts",
    [
      "C1: project fields are served as stored",
      "return { data, serving };",
      "return { data: project.fields ?? data, serving };",
    ],
    [
      "C2: steps that do not exist are listed",
      "stepIds: named.filter((stepId) => known.has(stepId)),",
      "stepIds: named,",
    ],
    [
      "C2: the id of a missing entry is served",
      "exists(rendering, layoutContentId) ? layoutContentId : null",
      "layoutContentId ?? null",
    ],
  ),
  ...mutantsOf(
    "src/documents/experience-content.ts",
    "test/documents/experience-content.test.ts",
    [
      "E1: entries are in another order than the steps",
      "return [...content];",
      "return [...content].reverse();",
    ],
    [
      "E6: an experience without entries has a document",
      "if (shown.content.length === 0) return undefined;",
      "if (shown.content.length < 0) return undefined;",
    ],
  ),
  ...mutantsOf(
    "src/documents/references.ts",
    ["test/documents/references.test.ts", "test/documents/problems-warnings.test.ts"],
    ["E2: references end at depth 4", "MAXIMUM_DEPTH = 5;", "MAXIMUM_DEPTH = 4;"],
    ["E2: references end at depth 6", "MAXIMUM_DEPTH = 5;", "MAXIMUM_DEPTH = 6;"],
    [
      "E4: entries of content are in references too",
      "for (const entry of content) marks[entry] = walk;",
      "for (const entry of content) marks[entry] = 0;",
    ],
    [
      "E5: references are in the order of the walk",
      "rendering.table.inOrderOfIds(listed.slice(content.length))",
      "listed.slice(content.length)",
    ],
    [
      "P3: pointers that are too deep are not reported",
      "tooDeep.push({ entry,",
      "if (target === entry) tooDeep.push({ entry,",
    ],
  ),
  ...mutantsOf(
    "src/documents/check-draft.ts",
    ["test/documents/problems-warnings.test.ts", "test/documents/problems.test.ts"],
    [
      "P3: of two pointers of an entry that are too deep, one is reported",
      "const place = `${found.entry} ${found.path}`;",
      "const place = `${found.entry}`;",
    ],
    [
      "P3: a pointer that is too deep in two experiences is reported twice",
      "const place = `${found.entry} ${found.path}`;",
      "const place = `${found.entry} ${found.path} ${experience}`;",
    ],
    [
      "P1: problems are in the order of the entries",
      "return inProblemOrder(problems);",
      "return problems;",
    ],
  ),
  ...mutantsOf(
    "src/workspace/problem.ts",
    ["test/documents/problems-errors.test.ts", "test/documents/problems-warnings.test.ts"],
    ["P2: a missing value is a warning", '"value-missing": "error"', '"value-missing": "warning"'],
    ["P3: a deleted block is an error", '"block-deleted": "warning"', '"block-deleted": "error"'],
  ),
  ...mutantsOf(
    "src/documents/entry-lookup.ts",
    ["test/documents/experience-content.test.ts", "test/fields/values.test.ts"],
    [
      "V9: an entry has the key of a model that was removed",
      "return modelId === undefined ? undefined : this.models.get(modelId)?.key;",
      "return modelId === undefined ? undefined : (this.models.get(modelId)?.key ?? modelId);",
    ],
  ),
  ...mutantsOf(
    "src/documents/schema-document.ts",
    "test/documents/schema-document.test.ts",
    [
      "S1: a schema has another $id",
      "svc:project/${projectId}/schema",
      "svc:projects/${projectId}/schema",
    ],
    [
      "S6: keys are in authored order",
      "enum: records.map(({ key }) => key).sort() }",
      "enum: records.map(({ key }) => key) }",
    ],
    [
      "S6: without keys, the enum is empty",
      'return { type: "string", not: {} };',
      'return { type: "string", enum: [] };',
    ],
    [
      "S7: a step without a model is listed",
      "return model === undefined ? [] : [[key, model]];",
      'return [[key, model ?? ""]];',
    ],
  ),
  ...mutantsOf("src/documents/schema-definitions.ts", "test/documents/schema-definitions.test.ts", [
    "S5: blocks are not distinguished by their keys",
    "contentBlockKey: { const: key },",
    'contentBlockKey: { type: "string" },',
  ]),
  ...mutantsOf(
    "src/documents/feature-values.ts",
    "test/documents/feature-values.test.ts",
    [
      "S8: values are in the order of the variants' rows",
      "const sorted = [...variants].sort((a, b) => byCodeUnit(a.key, b.key));",
      "const sorted = [...variants];",
    ],
    [
      "S8: a value may be listed twice",
      "return [key, [...new Set(values)]];",
      "return [key, values];",
    ],
    [
      "S8: a variant that serves false has its key",
      "variant.value === false ? false : variant.key",
      "variant.key",
    ],
    [
      "S8: without Text flags there is an empty map",
      "if (flags.length === 0) return undefined;",
      "if (features.length === 0) return undefined;",
    ],
  ),
];
