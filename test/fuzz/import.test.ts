import fc from "fast-check";
import { describe, it } from "vitest";
import { STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { type FolderMutation, folderMutations } from "./folder-mutations.ts";
import { fuzzed, runs, timeFor } from "./fuzzing.ts";
import { ImportBed } from "./import-bed.ts";
import { ODD_TEXTS, ODD_VALUES } from "./odd-json.ts";

/** Numbers pick files in order of their paths, and values in order of the text. */
const [ENTRY, MODEL_ID, HEADLINE] = [4, 1, 3];
describe.each([
  ["starter", STARTER, runs(), runs(0.05)],
  ["storefront", STOREFRONT, runs(0.2), runs(0.05)],
])("fuzz: import of the %s, mutated", (_name, fixture, some, few) => {
  const title = "is refused whole with faults that name their file, or can be published";
  it(`${title} (${some} inputs)`, timeFor(some), () => {
    const bed = new ImportBed(fixture);
    const property = fc.property(folderMutations, (mutations) => bed.tryInProcess(mutations));
    fc.assert(property, fuzzed(some));
  });

  it(
    `ends as a command with a documented status and one JSON object (${few} inputs)`,
    timeFor(few),
    () => {
      const bed = new ImportBed(fixture);
      const property = fc.property(folderMutations, (mutations) => bed.tryCommand(mutations));
      fc.assert(property, { ...fuzzed(few), endOnFailure: true });
    },
  );
});

describe("fuzz: import of the starter with each odd value and text", () => {
  const texts = [...ODD_TEXTS.keys()].map((text): FolderMutation => ["prepend", 0, text]);
  const values = [...ODD_VALUES.keys()].flatMap((value): FolderMutation[] => [
    ["put", ENTRY, MODEL_ID, value],
    ["put", ENTRY, HEADLINE, value],
  ]);
  const all = [...texts, ...values];
  it(
    `is refused completely, or can be published (${all.length} inputs)`,
    timeFor(all.length),
    () => {
      const bed = new ImportBed(STARTER);
      for (const mutation of all) {
        try {
          bed.tryInProcess([mutation]);
        } catch (error) {
          throw new Error(`of the mutation ${JSON.stringify(mutation)}`, { cause: error });
        }
      }
    },
  );
});
