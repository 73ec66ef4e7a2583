import fc from "fast-check";
import { randomRuns } from "../support/random-runs.ts";
import type { Parts } from "../support/test-bed.ts";
import { EDITS, FIRST, type Pick, type World, withoutErrors } from "../support/workspaces/edits.ts";
import { localizedWorkspace } from "../support/workspaces/localized-workspace.ts";
import { Random } from "../support/workspaces/random.ts";
import { randomWorkspace } from "../support/workspaces/random-workspace.ts";
import {
  type Decorate,
  withHidden,
  withMisspelt,
  withOddities,
  withSettings,
  withUnique,
} from "./decorate.ts";
import type { OracleWorkspace } from "./outputs.ts";
import { writeParts } from "./parts-folder.ts";

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

const edits = fc.record({
  names: fc.array(fc.constantFrom(...Object.keys(EDITS)), { minLength: 2, maxLength: 15 }),
  seed: fc.nat(),
});

const KINDS: Readonly<Record<string, Kind>> = {
  plain: {
    workspaces: randomWorkspace({ faulty: false }).map((parts) => ({ parts })),
    changes: [
      [withHidden, 0.5],
      [withUnique, 0.3],
      [withSettings, 0.5],
      [withOddities, 0.15],
    ],
  },
  faulty: {
    workspaces: randomWorkspace({ faulty: true }).map((parts) => ({ parts })),
    changes: [
      [withMisspelt, 0.7],
      [withHidden, 0.5],
      [withUnique, 0.5],
      [withOddities, 0.3],
    ],
  },
  localized: {
    workspaces: localizedWorkspace.map((parts) => ({ parts })),
    changes: [
      [withHidden, 0.5],
      [withUnique, 0.3],
      [withMisspelt, 0.3],
      [withSettings, 0.5],
      [withOddities, 0.2],
    ],
  },
  edited: {
    workspaces: edits.map(({ names, seed }) => editedWorld(names, new Random(seed))),
    changes: [
      [withMisspelt, 0.3],
      [withHidden, 0.3],
      [withOddities, 0.2],
    ],
  },
};

/** The two workspaces after these edits, in half of the cases without errors. */
function editedWorld(names: readonly string[], random: Random): Both {
  const pick: Pick = (from) => random.pick(from);
  const edited = names.reduce<World>((world, name) => EDITS[name]?.(world, pick) ?? world, FIRST);
  const { w, neighbour } = random.chance(0.5) ? withoutErrors(edited) : edited;
  return { parts: w, beside: neighbour };
}

/** Random workspaces: of each kind as many, always the same. */
export function randomWorkspaces(ofEachKind: number): OracleWorkspace[] {
  const every = Math.max(1, Math.floor(100 / randomRuns(100)));
  return Object.entries(KINDS).flatMap(([kind, { workspaces, changes }], number) => {
    const seeded = fc.tuple(workspaces, fc.nat());
    const drawn = fc.sample(seeded, { seed: 20_260_601 + number, numRuns: ofEachKind });
    return drawn.map(([{ parts, beside }, seed], at): OracleWorkspace => {
      const random = new Random(seed);
      const changed = changes.reduce(
        (before, [change, chance]) => (random.chance(chance) ? change(before, random) : before),
        parts,
      );
      return {
        name: `${kind} ${`${at + 1}`.padStart(2, "0")}`,
        make: (folder) => writeParts(folder, changed),
        beside: beside && at % 5 === 0 ? (folder) => writeParts(folder, beside) : undefined,
        isEdited: at % 5 === 0,
        isBrief: at % every !== 0,
      };
    });
  });
}
