import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { metaSchemaCheck } from "../../src/documents/meta-schema.ts";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import { SHAPES } from "../../src/records/record-shapes.ts";
import { bedsIn, type Loose, ROWS, rowsIn } from "../support/import-rows.ts";
import { faultsIn, faultsOf, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const FAULTS = `${ROWS}/faults.yaml`;
/** A valid record of each kind with every member. */
const VALID: Readonly<Record<string, Loose>> = bedsIn(FAULTS)[".valid"] as Loose;
const KINDS = Object.keys(VALID);

/** A value without the members that are absent. */
function present(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(present);
  const members = Object.entries(value).filter(([, one]) => one !== "absent");
  return Object.fromEntries(members.map(([name, one]) => [name, present(one)]));
}

function filesOf({ files = {}, workspace, field, said: _, ...records }: Loose): Loose {
  const settings = { id: "w", name: "W", ...(field && { fields: [field] }), ...workspace };
  const lists = Object.entries(records).map(([kind, given]) => [
    `${kind}.json`,
    Array.isArray(given) ? given : [{ ...VALID[kind], ...given }],
  ]);
  return {
    "workspace.json": present(settings),
    ...(present(Object.fromEntries(lists)) as Loose),
    ...files,
  };
}

/** The cases that a row has in one. */
function casesOf({ nearly = {}, meant = {}, out = [], beside = [], ...one }: Loose): Loose[] {
  const of = (path: string, said?: string) => ({
    files: { [path]: said === undefined ? "" : VALID.entries },
    ...(said && { said: `${path} is not read: records are *.json and *.jsonc files${said}` }),
  });
  return [
    ...Object.entries(nearly).map(([path, kind]) => {
      const [name] = path.split("/");
      const said = `${name} is not read: "${name}" is no kind of records; did you mean "${kind}"?`;
      return { files: { [path]: VALID.entries }, said };
    }),
    ...Object.entries(meant).map(([path, name]) =>
      of(`entries/${path}`, `; rename it to "${name}", or move it out of "entries"`),
    ),
    ...out.map((path: string) =>
      of(`entries/${path}`, ', and no asset names it; move it out of "entries"'),
    ),
    ...beside.map((path: string) => of(path)),
    ...(Object.keys(one).length > 0 ? [one] : []),
  ];
}

for (const [title, cases] of Object.entries(rowsIn(FAULTS))) {
  it(title, () => {
    for (const one of (cases as Loose[]).flatMap(casesOf)) {
      const said = [one.said ?? []].flat().map((text: string) => expect.stringContaining(text));
      expect(faultsIn(filesOf(one)), JSON.stringify(one)).toEqual(said);
    }
  });
}

const OPTIONAL = ["category", "variants", "versions", "mimeType", "sizeBytes", "width", "height"];

const isOptional = (kind: string, name: string) =>
  OPTIONAL.includes(name) || (kind === "projects" && name === "fields");
const faultsOfRecord = (kind: string, changes: Record<string, unknown>) =>
  faultsIn({ [`${kind}.json`]: [{ ...VALID[kind], ...changes }] });
const fieldFaults = (field: object) =>
  faultsIn({ "workspace.json": { id: "w", name: "W", fields: [field] } });

describe("V10, B2: fields of each type", () => {
  const faultsOf = (field: object, kind = "models") =>
    faultsOfRecord(kind, { fields: [{ key: "a", ...field, unique: true }] });

  it.each([...FIELD_TYPES.keys()])("V10: whether a field of the type %s may be unique", (type) => {
    const isAble = /^(?:text|select|number|integer|date|date-time|iso-date|url|email)$/.test(type);
    const options = type === "select" ? { options: ["x"] } : {};
    const faults = faultsOf({ type, ...options });
    expect(faults).toEqual(isAble ? [] : [expect.stringContaining(`"${type}" cannot be unique`)]);
    expect(faultsOf({ type, ...options, repeatable: true })).toEqual([
      expect.stringContaining("a repeatable field cannot be unique"),
    ]);
  });

  it("B2: fields of models and blocks of every type may be localized", () => {
    const localized = { key: "a", localized: true };
    for (const type of FIELD_TYPES.keys()) {
      const options = type === "select" ? { options: ["x"] } : {};
      const field = { ...localized, type, repeatable: true, ...options };
      for (const kind of ["models", "blocks"]) {
        expect(faultsOfRecord(kind, { fields: [field] }), `${kind} ${type}`).toEqual([]);
      }
    }
  });
});

describe.each(KINDS)("folder: a record of %s", (kind) => {
  const members = Object.keys(VALID[kind] ?? {});

  it("folder: is valid with every member", () => {
    expect(faultsOfRecord(kind, {})).toEqual([]);
  });

  it("folder: must be an object without unknown members", () => {
    for (const name of ["more", "constructor", "__proto__x", "Id"]) {
      expect(faultsOfRecord(kind, { [name]: 1 })).toEqual([
        expect.stringMatching(new RegExp(`^${kind}\\.json:1:\\d+ unknown member "${name}"; [tv]`)),
      ]);
    }
    expect(faultsIn({ [`${kind}.json`]: [null, [], "x", 1] })).toHaveLength(4);
  });

  it.each(members)("folder: cannot have a member %s of the wrong type", (name) => {
    const wrong: unknown[] = typeof VALID[kind]?.[name] === "string" ? [1, []] : ["x", true];
    if (!isOptional(kind, name) && name !== "url") wrong.push(null);
    for (const value of wrong) {
      const fault = new RegExp(`^${kind}\\.json:1:\\d+ .*"${name}"`);
      expect(faultsOfRecord(kind, { [name]: value })).toContainEqual(expect.stringMatching(fault));
    }
  });

  it.each(members)("folder: must have %s unless it is optional", (name) => {
    const faults = faultsOfRecord(kind, { [name]: undefined });
    expect(faults).toEqual(isOptional(kind, name) ? [] : [expect.stringContaining(name)]);
  });
});

describe("folder: a field definition", () => {
  it.each(["Text", "", "toString", "constructor", "string", "__proto__"])(
    "folder: cannot have the unknown type %j; the fault lists the known ones",
    (type) => {
      const [fault = "", ...others] = fieldFaults({ key: "a", type });
      expect(fault).toContain(`unknown field type "${type}"`);
      for (const known of FIELD_TYPES.keys()) expect(fault).toContain(known);
      expect(others).toEqual([]);
    },
  );
});

it("folder: the schemas of records and of field options are valid", () => {
  const check = metaSchemaCheck();
  const options = [...FIELD_TYPES.values()].flatMap((type) => Object.entries(type.options));
  const all = [...Object.entries(SHAPES), ...options];
  expect(all.filter(([, schema]) => !check(schema)).map(([name]) => name)).toEqual([]);
  expect(all.length).toBeGreaterThan(10);
  expect(check({ type: "text" })).toBe(false);
});

it("W1: a symbolic link with nearly the name of a kind is a fault, an empty folder is none", () => {
  const folder = workspaceFolder({});
  mkdirSync(join(folder, "later"));
  expect(faultsOf(folder)).toEqual([]);
  symlinkSync(".", join(folder, "Entries"));
  expect(faultsOf(folder)).toMatchObject([{ file: "Entries" }]);
});
