import fc from "fast-check";
import type { JsonValue } from "../../src/workspace/json.ts";
import type { Entry } from "../../src/workspace/records.ts";
import type { RandomWorkspace } from "./random-workspace.ts";

/** What an author does to a workspace between two publishes. */
export type Edit = (parts: RandomWorkspace) => RandomWorkspace;

type ChangeEntry = (entry: Entry, parts: RandomWorkspace) => Entry | undefined;

/** Every text in the data, at any depth, gets an end. */
function retext(at: number, end: string): Edit {
  const texts = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return value + end;
    if (Array.isArray(value)) return value.map(texts);
    if (typeof value !== "object" || value === null) return value;
    const isLink = Object.keys(value).some((name) => name.endsWith("Id"));
    return isLink && !("data" in value)
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, member]) => [
            name,
            name.endsWith("Id") ? member : texts(member),
          ]),
        );
  };
  return changeEntry(at, (entry) => ({ ...entry, data: texts(entry.data) as Entry["data"] }));
}

/** The data of another entry of the same model: other links too. */
function copy(at: number, from: number): Edit {
  return changeEntry(at, (entry, { entries }) => {
    const source = entries[from % entries.length];
    return source?.modelId === entry.modelId ? { ...entry, data: source.data } : entry;
  });
}

const withoutLastField: ChangeEntry = (entry) => ({
  ...entry,
  data: Object.fromEntries(Object.entries(entry.data).slice(0, -1)),
});

const withAnotherModel: ChangeEntry = (entry, { models }) => ({
  ...entry,
  modelId: models[0]?.id ?? "mdl-gone",
});

function changeEntry(at: number, change: ChangeEntry): Edit {
  return (parts) => {
    const chosen = parts.entries[at % parts.entries.length];
    return {
      ...parts,
      entries: parts.entries.flatMap((entry) =>
        entry === chosen ? (change(entry, parts) ?? []) : entry,
      ),
    };
  };
}

function renameModel(at: number): Edit {
  return (parts) => ({
    ...parts,
    models: parts.models.map((model, index) =>
      index === at ? { ...model, name: `${model.name}.` } : model,
    ),
  });
}

const withoutPhoto: Edit = (parts) => ({
  ...parts,
  assets: parts.assets.filter(({ id }) => id !== "photo"),
});

/** Mostly edits of data, which a publish has a shortcut for, and some of everything else. */
export const randomEdits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.nat(11), fc.string()).map(([at, text]) => retext(at, text)),
    },
    { weight: 2, arbitrary: fc.tuple(fc.nat(11), fc.nat(11)).map(([at, from]) => copy(at, from)) },
    { weight: 2, arbitrary: fc.nat(11).map((at) => changeEntry(at, withoutLastField)) },
    { weight: 1, arbitrary: fc.nat(11).map((at) => changeEntry(at, () => undefined)) },
    { weight: 1, arbitrary: fc.nat(11).map((at) => changeEntry(at, withAnotherModel)) },
    { weight: 1, arbitrary: fc.nat(5).map(renameModel) },
    { weight: 1, arbitrary: fc.constant(withoutPhoto) },
  ),
  { minLength: 1, maxLength: 3 },
);
