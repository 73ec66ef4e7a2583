import { copyFileSync, cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/documents/canonical-json.ts";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { folderDraft, readRecords } from "../../src/folder/folder-draft.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { writeFolder } from "../../src/folder/write-folder.ts";
import { FolderSource } from "../../src/publish/folder-source.ts";
import { publish } from "../../src/publish/publish.ts";
import { StoreSource } from "../../src/publish/store-source.ts";
import { verify } from "../../src/publish/verify.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { ErrorProblems } from "../../src/workspace/errors.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { CliBed, STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { type FolderMutation, folderMutations, mutateFolder } from "./folder-mutations.ts";
import { commandOutcome, outcomeOf, runs, timeFor } from "./fuzzing.ts";
import { ODD_TEXTS, ODD_VALUES } from "./odd-json.ts";

const REFUSALS = ["folder-invalid", "project-taken"];

const quiet = () => {};

/** Every fault has a file, and a place in it if known. */
function expectNamed(problems: ErrorProblems | undefined): void {
  const faults = problems?.kind === "folder" ? problems.list : [];
  expect(faults.length).toBeGreaterThan(0);
  for (const { file, line = 1, column = 1, message } of faults) {
    expect(file).toMatch(/^[^/]/s);
    expect(message).toMatch(/./);
    expect([line, column].every((place) => Number.isInteger(place) && place >= 1)).toBe(true);
    expect(message).not.toMatch(
      /\n +at |Maximum call stack|not a function|(?<!write null, not )undefined/,
    );
  }
}

/** All records except assets, whose files have other paths in an export. */
function recordsOf(folder: string): string[] {
  return [...readFolder(folder)]
    .filter(({ kind }) => kind !== "file" && kind !== "assets")
    .map((item) => canonicalJson([item.kind, "record" in item && item.record] as JsonValue))
    .sort();
}

/** What was imported can be checked, published, verified and exported, or is refused. */
function expectUsable(store: Store, id: string, folder: string): void {
  const out = join(folder, "../out");
  const workspace = store.workspace(id);
  outcomeOf([], () => store.read(() => checkDraft(new Rendering(store.draft(workspace)))));
  const options = {
    strict: false,
    keep: Number.POSITIVE_INFINITY,
    now: new Date(),
    onProgress: quiet,
  };
  const published = outcomeOf(["draft-has-problems"], () =>
    publish(new StoreSource(store, workspace), out, options),
  );
  if ("value" in published) {
    expect(verify(out, quiet)).toMatchObject({ ok: true });
    const again = publish(new StoreSource(store, workspace), out, options);
    expect(again).toMatchObject({ published: false, versionId: published.value.versionId });
    expect(again.files).toMatchObject({ written: 0, removed: 0 });
  }
  // R11.
  const draft = folderDraft(readRecords(readFolder(folder)));
  const alone = outcomeOf(["draft-has-problems"], () =>
    publish(new FolderSource(draft), join(folder, "../alone"), options),
  );
  const idOf = (outcome: typeof alone) => "value" in outcome && outcome.value.versionId;
  expect(idOf(alone)).toBe(idOf(published));
  const exported = join(folder, "../exported");
  store.read(() => writeFolder(store.draft(workspace), exported));
  expect(recordsOf(exported)).toEqual(recordsOf(folder));
}

/** A bed with a store that has a valid workspace, and folders to import into it. */
class ImportBed {
  readonly #fixture: string;
  readonly #bed: CliBed;
  readonly #before: ReturnType<typeof storeRows>;

  constructor(fixture: string) {
    this.#fixture = fixture;
    this.#bed = new CliBed(fixture);
    this.#before = storeRows(this.#bed.path("workspace.db"));
  }

  get folder(): string {
    return this.#bed.path("case");
  }

  /** Resets the store, and creates the mutated folder `shop`. */
  begin(mutations: readonly FolderMutation[]): { shop: string; file: string } {
    rmSync(this.folder, { recursive: true, force: true });
    const [shop, file] = [this.#bed.path("case/shop"), this.#bed.path("case/workspace.db")];
    cpSync(this.#fixture, shop, { recursive: true });
    copyFileSync(this.#bed.path("workspace.db"), file);
    mutateFolder(shop, mutations);
    return { shop, file };
  }

  expectNothingChanged(): void {
    expect(storeRows(this.#bed.path("case/workspace.db"))).toEqual(this.#before);
  }

  tryInProcess(mutations: readonly FolderMutation[]): void {
    const { shop, file } = this.begin(mutations);
    const store = openStore(file);
    try {
      const result = outcomeOf(REFUSALS, () => store.import(readFolder(shop), new Date()));
      if ("value" in result) {
        expectUsable(store, result.value.workspaceId, shop);
        return;
      }
      if (result.refusal.code === "folder-invalid") expectNamed(result.refusal.problems);
    } finally {
      store.close();
    }
    this.expectNothingChanged();
  }

  tryCommand(mutations: readonly FolderMutation[]): void {
    this.begin(mutations);
    const { error } = commandOutcome(this.folder, "import", "shop");
    if (error === undefined) return;
    expect(REFUSALS).toContain(error.code);
    this.expectNothingChanged();
  }
}

/** Numbers pick files in order of their paths, and values in order of the text. */
const [ENTRY, MODEL_ID, HEADLINE, MODEL] = [4, 1, 3, 9];
describe.each([
  ["starter", STARTER, runs(), runs(0.05)],
  ["storefront", STOREFRONT, runs(0.2), runs(0.05)],
])("fuzz: import of the %s, mutated", (_name, fixture, some, few) => {
  const title = "is refused whole with faults that name their file, or can be published";
  it(`${title} (${some} inputs)`, timeFor(some), () => {
    const bed = new ImportBed(fixture);
    const property = fc.property(folderMutations, (mutations) => bed.tryInProcess(mutations));
    fc.assert(property, { numRuns: some });
  });

  it(
    `ends as a command with a documented status and one JSON object (${few} inputs)`,
    timeFor(few),
    () => {
      const bed = new ImportBed(fixture);
      const property = fc.property(folderMutations, (mutations) => bed.tryCommand(mutations));
      fc.assert(property, { numRuns: few, endOnFailure: true });
    },
  );
});

describe("fuzz: import of the starter with each odd value and text", () => {
  const texts = [...ODD_TEXTS.keys()].map((text): FolderMutation => ["prepend", 0, text]);
  const values = [...ODD_VALUES.keys()].flatMap((value): FolderMutation[] => [
    ["put", ENTRY, MODEL_ID, value],
    ["put", ENTRY, HEADLINE, value],
    ["become", ENTRY, ODD_TEXTS.length + value],
    ["become", MODEL, ODD_TEXTS.length + value],
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
