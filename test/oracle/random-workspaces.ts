import fc from "fast-check";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/workspace/json.ts";
import type { Model } from "../../src/workspace/records.ts";
import { randomRuns } from "../support/random-runs.ts";
import type { Parts } from "../support/test-bed.ts";
import {
  EDITS,
  FIRST,
  type Pick,
  PLAIN_EDITS,
  type World,
  withoutErrors,
} from "../support/workspaces/edits.ts";
import { withLists } from "../support/workspaces/lists.ts";
import { plainLocalizedWorkspace } from "../support/workspaces/localized-workspace.ts";
import { Random } from "../support/workspaces/random.ts";
import { plainWorkspace } from "../support/workspaces/random-workspace.ts";
import { writeParts } from "./made-workspaces.ts";
import { type OracleWorkspace, PUBLISHING } from "./outputs.ts";

/** Changes a workspace by random choices. */
type Decorate = (parts: Parts, random: Random) => Parts;

/** Some entries are hidden. */
const withHidden: Decorate = (parts, random) => ({
  ...parts,
  entries: (parts.entries ?? []).map((entry) => ({
    ...entry,
    ...(random.chance(0.4) && random.pick(PUBLISHING)),
  })),
});

/** V10. */
const UNIQUE = ["text", "select", "number", "integer", "date", "date-time", "url", "email"];

/** Some fields of models are unique, with values of which some are the same. */
const withUnique: Decorate = (parts, random) => {
  const unique = (field: FieldDefinition): FieldDefinition => {
    const isPossible = UNIQUE.includes(field.type) && !field.repeatable;
    return isPossible && random.chance(0.7) ? { ...field, unique: true } : field;
  };
  const models = (parts.models ?? []).map((model) => ({
    ...model,
    fields: model.fields.map(unique),
  }));
  return { ...parts, models };
};

/** Urls, titles of assets, and which field has the titles of entries. */
const withSettings: Decorate = (parts, random) => ({
  ...parts,
  ...(random.chance(0.5) && { assetBaseUrl: "https://cdn.example/a" }),
  ...(random.chance(0.5) && { assetTexts: true }),
  assets: (parts.assets ?? []).map((asset) => ({
    ...asset,
    ...(random.chance(0.5) && { title: "Ein Bild", description: "" }),
  })),
  models: (parts.models ?? []).map((model) => withTitle(model)),
});

function withTitle(model: Model): Model {
  const title = model.fields.find(({ type, repeatable }) => type === "text" && !repeatable);
  return {
    ...model,
    fields: model.fields.map((field) => (field === title ? { ...field, title: true } : field)),
  };
}

/** Projects without a locale, blocks of another category than a field accepts, a slow pattern. */
const withOddities: Decorate = (parts, random) => ({
  ...parts,
  projects: (parts.projects ?? []).map((project) => {
    const { locale: _locale, fallbackLocales: _fallbacks, ...without } = project;
    return random.chance(0.6) ? project : without;
  }),
  blocks: (parts.blocks ?? []).map((block) =>
    random.chance(0.5) ? { ...block, category: "narrow" } : block,
  ),
  models: (parts.models ?? []).map((model) => ({
    ...model,
    fields: model.fields.map((field) =>
      field.type === "text" && random.chance(0.3) ? { ...field, pattern: "^(a+)+$" } : field,
    ),
  })),
});

/** Some names in stored data and in the options of fields are misspelt. */
const withMisspelt: Decorate = (parts, random) => {
  const chance = random.chance(0.5) ? 0.1 : 0.02;
  const name = (text: string) => (random.chance(chance) ? misspelt(text) : text);
  const value = (stored: JsonValue): JsonValue => {
    if (Array.isArray(stored)) return stored.map(value);
    if (!isJsonObject(stored)) return stored;
    return data(stored);
  };
  const data = (stored: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(stored).map(([key, member]) => {
        const isId = /^(?:contentEntryId|contentBlockId|assetId)$/.test(key);
        if (isId) return [key, typeof member === "string" ? name(member) : member];
        return [key === "data" ? key : name(key), value(member)];
      }),
    );
  const field = (one: FieldDefinition & { models?: readonly string[]; category?: string }) => ({
    ...one,
    ...(one.models && { models: one.models.map(name) }),
    ...(one.category && { category: name(one.category) }),
  });
  const record = <M extends Model>(one: M): M => ({ ...one, fields: one.fields.map(field) });
  return {
    ...parts,
    models: (parts.models ?? []).map(record),
    blocks: (parts.blocks ?? []).map(record),
    entries: (parts.entries ?? []).map((entry) => ({
      ...entry,
      modelId: name(entry.modelId),
      data: data(entry.data),
    })),
  };
};

function misspelt(text: string): string {
  return text.length < 4 ? text : `${text.slice(0, -2)}${text.at(-1)}`;
}

interface Both {
  readonly parts: Parts;
  /** Another workspace of the store. */
  readonly beside?: Parts;
}

/** Random workspaces, and what is changed in them with which probability. */
interface Kind {
  readonly workspaces: fc.Arbitrary<Both>;
  readonly changes: readonly (readonly [Decorate, number])[];
}

function edited(edits: object): fc.Arbitrary<Both> {
  const name = fc.constantFrom(...Object.keys(edits));
  const names = fc.array(name, { minLength: 2, maxLength: 15 });
  return fc
    .record({ names, seed: fc.nat() })
    .map(({ names, seed }) => editedWorld(names, new Random(seed)));
}

const KINDS: Readonly<Record<string, Kind>> = {
  plain: {
    workspaces: plainWorkspace({ faulty: false }).map((parts) => ({ parts })),
    changes: [
      [withHidden, 0.5],
      [withUnique, 0.3],
      [withSettings, 0.5],
      [withOddities, 0.15],
    ],
  },
  faulty: {
    workspaces: plainWorkspace({ faulty: true }).map((parts) => ({ parts })),
    changes: [
      [withMisspelt, 0.7],
      [withHidden, 0.5],
      [withUnique, 0.5],
      [withOddities, 0.3],
    ],
  },
  localized: {
    workspaces: plainLocalizedWorkspace.map((parts) => ({ parts })),
    changes: [
      [withHidden, 0.5],
      [withUnique, 0.3],
      [withMisspelt, 0.3],
      [withSettings, 0.5],
      [withOddities, 0.2],
    ],
  },
  edited: {
    workspaces: edited(PLAIN_EDITS),
    changes: [
      [withMisspelt, 0.3],
      [withHidden, 0.3],
      [withOddities, 0.2],
    ],
  },
};

/** The same with queries and collections. */
const KINDS_WITH_LISTS = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { workspaces, changes }]): [string, Kind] => {
    if (kind === "edited") return [kind, { workspaces: edited(EDITS), changes }];
    const lists: Decorate = (parts, random) => withLists(parts, random, kind === "faulty");
    return [kind, { workspaces, changes: [[lists, 1], ...changes] }];
  }),
);

/** The two workspaces after these edits, in half of the cases without errors. */
function editedWorld(names: readonly string[], random: Random): Both {
  const pick: Pick = (from) => random.pick(from);
  const edited = names.reduce<World>((world, name) => EDITS[name]?.(world, pick) ?? world, FIRST);
  const { w, neighbour } = random.chance(0.5) ? withoutErrors(edited) : edited;
  return { parts: w, beside: neighbour };
}

/** Random workspaces: of each kind as many, always the same. */
export function randomWorkspaces(
  ofEachKind: number,
  { haveLists }: { haveLists: boolean },
): OracleWorkspace[] {
  const every = Math.max(1, Math.floor(100 / randomRuns(100)));
  const kinds = haveLists ? KINDS_WITH_LISTS : KINDS;
  return Object.entries(kinds).flatMap(([kind, { workspaces, changes }], number) => {
    const seeded = fc.tuple(workspaces, fc.nat());
    const drawn = fc.sample(seeded, { seed: 20_260_601 + number, numRuns: ofEachKind });
    return drawn.flatMap(([{ parts, beside }, seed], at): OracleWorkspace[] => {
      if (every > 1 && at % 2 > 0 && process.env.SVC_WRITE_ORACLE !== "1") return [];
      const random = new Random(seed);
      const changed = changes.reduce(
        (before, [change, chance]) => (random.chance(chance) ? change(before, random) : before),
        parts,
      );
      const workspace: OracleWorkspace = {
        name: `${kind} ${`${at + 1}`.padStart(2, "0")}`,
        make: (folder) => writeParts(folder, changed),
        beside: beside && at % 5 === 0 ? (folder) => writeParts(folder, beside) : undefined,
        isEdited: at % 5 === 0,
        isBrief: at % every !== 0,
      };
      return [workspace];
    });
  });
}
