import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { diffSnapshots } from "../../src/diff/diff.ts";
import { NOTHING, parsedSnapshot, type Snapshot } from "../../src/diff/snapshot.ts";
import { type Address, filePath } from "../../src/documents/address.ts";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { PREVIEW } from "../../src/documents/document.ts";
import { renderDocument } from "../../src/documents/documents.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { checkStored } from "../../src/publish/check-stored.ts";
import { planPublish } from "../../src/publish/plan-publish.ts";
import { publish } from "../../src/publish/publish.ts";
import { rollback } from "../../src/publish/rollback.ts";
import { draftSnapshot, renderingSnapshot, versionSnapshot } from "../../src/publish/snapshots.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Problem } from "../../src/workspace/problem.ts";
import type { WorkspaceRow } from "../../src/workspace/workspace-row.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { expectCachedRendering } from "../support/publish/expect-cached-rendering.ts";
import { draftProblems } from "../support/publish/publishing.ts";
import { newStore } from "../support/store/new-store.ts";
import { source } from "../support/test-bed.ts";
import { FIRST, type Pick, type Site, type World } from "./edits.ts";

export type Whose = "w" | "neighbour";

/** The expected results for a draft. */
export interface Wanted {
  /** The id of its version with every file of `out/`; undefined: it has errors (R4). */
  readonly version: { readonly id: string; readonly files: Record<string, string> } | undefined;
  readonly problems: readonly Problem[];
  /** The documents that publishing would freeze. */
  readonly documents: ReadonlyMap<string, JsonObject>;
  readonly hashes: ReadonlyMap<string, string>;
  readonly answers: readonly Answer[];
}

interface Answer {
  readonly address: Address;
  readonly document: ReturnType<typeof answerFor>;
}

/** A folder in memory where possible, since hundreds of stores are made. */
function quickFolder(): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "svc-test-"));
}

const quiet = { onProgress: () => {} };

interface Outcome {
  readonly versionId?: string;
  readonly problems: readonly Problem[];
}

/** R4: a draft with errors has no version. */
function refused(work: () => Outcome): Outcome {
  try {
    return work();
  } catch (error) {
    const problems = error instanceof SvcError && draftProblems(error);
    if (problems) return { problems };
    throw error;
  }
}

/** The results in a new store with both workspaces. */
export function wantedOf(world: World, whose: Whose): Wanted {
  const folder = quickFolder();
  const store = newStore(join(folder, "workspace.db"));
  try {
    for (const site of [world.neighbour, world.w]) store.import(source(site), new Date());
    const out = join(folder, "out");
    const { at } = world;
    const how = { strict: false, now: new Date(), at, ...quiet };
    const row = store.workspace(whose);
    const { versionId: id, problems } = refused(() => publish(store, row, out, how));
    return store.read(() => {
      const view = { at, showsHidden: true };
      const rendering = new Rendering(store.draft(row), { view });
      const { documents, document, sha256 } =
        id === undefined ? draftSnapshot(store, row, { at }) : versionSnapshot(store, row, id);
      const paths = [...documents.keys()];
      return {
        version: id === undefined ? undefined : { id, files: bytesBelow(out) },
        problems,
        documents: new Map(paths.map((path) => [path, document(path)])),
        hashes: new Map(paths.map((path) => [path, sha256(path)])),
        answers: addressesOf(world[whose]).map((address) => ({
          address,
          document: answerFor(rendering, address),
        })),
      };
    });
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

function addressesOf({ projects }: Site): Address[] {
  return projects.flatMap(({ id: projectId, experiences }): Address[] => [
    { kind: "project", projectId },
    { kind: "schema", projectId },
    ...[...experiences.map(({ id }) => id), "none"].map(
      (experienceId) => ({ kind: "content", projectId, experienceId }) as const,
    ),
  ]);
}

/** What preview serves as a document. */
function answerFor(rendering: Rendering, address: Address) {
  const document = renderDocument(rendering, address, PREVIEW);
  if (document === undefined) return undefined;
  const { bytes, problems, files } = document;
  return { bytes: bytes.toString(), problems, files };
}

/** A store that two processes read and change. */
export class EditedBed {
  readonly #folder = quickFolder();
  readonly #file = join(this.#folder, "workspace.db");
  readonly #processes: readonly Process[];
  /** What was published, by version. */
  readonly #published = new Map<string, Record<string, string>>();
  #program = "p";
  #isDamaged = false;
  world: World | undefined;
  /** How many entries all publishes have rendered, of how many. */
  readonly counts = { served: 0, entries: 0, publishes: 0, refusals: 0 };

  readonly #now = () => (this.world ?? FIRST).at;

  constructor() {
    newStore(join(this.#folder, "workspace.db")).close();
    this.#processes = [1, 2].map(() => new Process(this.#file, this.#now));
  }

  close(): void {
    for (const { store } of this.#processes) store.close();
    rmSync(this.#folder, { recursive: true });
  }

  process(which: number): Process {
    return this.#processes[which % 2] as Process;
  }

  out(whose: Whose): string {
    return join(this.#folder, `out-${whose}`);
  }

  /** Imports what has changed. */
  import(world: World, which: number): void {
    for (const whose of ["neighbour", "w"] as const) {
      if (world[whose] === this.world?.[whose]) continue;
      this.process(which).store.import(source(world[whose]), new Date());
    }
    this.world = world;
  }

  /** Imports the same records in another order. */
  importAgain({ w }: World, which: number): void {
    const again = { ...w, entries: w.entries.toReversed(), assets: w.assets.toReversed() };
    this.process(which).store.import(source(again), new Date());
  }

  /** An import that changes almost everything and fails at the end. */
  failedImport({ w }: World, which: number): void {
    const { store } = this.process(which);
    const other: Site = {
      ...{ ...w, models: [], assets: [], assetBaseUrl: "https://failed.example" },
      entries: w.entries.slice(1).map((one) => ({ ...one, data: { title: "Failed" } })),
    };
    const failing = function* () {
      yield* source(other);
      throw new Error("failed");
    };
    expect(() => store.import(failing(), new Date())).toThrow("failed");
  }

  /** Changes the fingerprint, as another version of the program does. */
  changeProgram(): void {
    this.#program += ".";
  }

  /** Damages a part of the cached renderings, or all. */
  damage(pick: Pick): void {
    this.#isDamaged = true;
    const database = new Database(this.#file);
    const parts = database
      .prepare<unknown[], string>("SELECT DISTINCT part FROM renderings ORDER BY part")
      .pluck()
      .all();
    const sql = pick([
      "DELETE FROM renderings",
      "DELETE FROM renderings WHERE part = ?",
      "UPDATE renderings SET row_check = row_check + 1 WHERE part = ?",
      "UPDATE renderings SET bytes = substr(bytes, 2) WHERE part = ?",
      "UPDATE renderings SET bytes = x'' WHERE part = ?",
    ]);
    const part = parts.length === 0 ? "head" : pick(parts);
    database.prepare(sql).run(...(sql.includes("?") ? [part] : []));
    database.close();
  }

  publish(whose: Whose, wanted: Wanted, which: number, keep: number): void {
    const { store } = this.process(which);
    let served = 0;
    const onProgress = (_done: number, total: number, what: string) => {
      if (what === "entries served") served = total;
    };
    const how = {
      strict: false,
      keep,
      program: this.#program,
      now: new Date(),
      onProgress,
      at: this.#now(),
    };
    const row = store.workspace(whose);
    const { versionId, problems } = refused(() => publish(store, row, this.out(whose), how));
    expect({ versionId, problems }).toEqual({
      versionId: wanted.version?.id,
      problems: wanted.problems,
    });
    this.counts.publishes += 1;
    this.counts.served += served;
    this.counts.entries += this.world?.[whose].entries.length ?? 0;
    if (wanted.version === undefined) {
      this.counts.refusals += 1;
      return;
    }
    expect(store.history.current(row.number)).toBe(versionId);
    expect(bytesBelow(this.out(whose))).toEqual(wanted.version.files);
    this.#published.set(wanted.version.id, wanted.version.files);
    expectCachedRendering(store, row, this.#isDamaged, this.#now());
  }

  dryRun(whose: Whose, wanted: Wanted, which: number): void {
    const { store } = this.process(which);
    const how = {
      strict: false,
      keep: 1,
      program: this.#program,
      now: new Date(),
      ...quiet,
      at: this.#now(),
    };
    const row = store.workspace(whose);
    const before = [store.history.current(row.number), bytesBelow(this.out(whose))];
    const { versionId, problems } = refused(() => planPublish(store, row, this.out(whose), how));
    expect({ versionId, problems }).toEqual({
      versionId: wanted.version?.id,
      problems: wanted.problems,
    });
    expect([store.history.current(row.number), bytesBelow(this.out(whose))]).toEqual(before);
  }

  check(whose: Whose, { problems }: Wanted, which: number, canWrite: boolean): void {
    const { store } = this.process(which);
    const program = this.#program;
    const found = store[canWrite ? "write" : "read"](() =>
      checkStored(store, store.workspace(whose), { program, canWrite, at: this.#now() }),
    );
    expect(found).toEqual(problems);
    if (canWrite)
      expectCachedRendering(store, store.workspace(whose), this.#isDamaged, this.#now());
  }

  /** The documents that are compared, and the differences. */
  diff(whose: Whose, wanted: Wanted, which: number, canWrite: boolean): void {
    const { store } = this.process(which);
    const program = this.#program;
    store[canWrite ? "write" : "read"](() => {
      const row = store.workspace(whose);
      const draft = draftSnapshot(store, row, { program, canWrite, at: this.#now() });
      expectDocuments(draft, wanted);
      expect(draft.problems).toEqual(wanted.problems);
      expect(draft.hasErrors).toBe(wanted.version === undefined);
      const current = store.history.current(row.number);
      const version = current === undefined ? NOTHING : versionSnapshot(store, row, current);
      const expected = parsedSnapshot(wanted.hashes, (path) => documentOf(wanted, path));
      const hashes = new Map(
        [...version.documents.keys()].map((path) => [path, version.sha256(path)]),
      );
      const opened = parsedSnapshot(hashes, (path) => version.document(path));
      expect(diffSnapshots(version, draft)).toEqual(diffSnapshots(opened, expected));
    });
  }

  /** Some documents of the draft, each rendered on request. */
  previewOnDemand(whose: Whose, { answers }: Wanted, which: number, pick: Pick): void {
    this.process(which).preview(whose, (rendering) => {
      for (let times = 0; times < 3 && answers.length > 0; times += 1) {
        const { address, document } = pick(answers);
        expect(answerFor(rendering, address)).toEqual(document);
      }
    });
  }

  /** All documents of the draft, and its problems, as the preview page requests them. */
  previewInBulk(whose: Whose, wanted: Wanted, which: number): void {
    const process = this.process(which);
    process.preview(whose, (rendering, row, published) => {
      expect(checkDraft(published)).toEqual(wanted.problems);
      expectAnswers(rendering, wanted);
      expectDocuments(renderingSnapshot(process.store, row, published), wanted);
    });
  }

  /** What a newly started preview serves. */
  newPreview(whose: Whose, wanted: Wanted, which: number): void {
    const { store } = this.process(which);
    const renderings = new DraftRenderings(store, this.#program, this.#now);
    store.read(() => expectAnswers(renderings.of(store.workspace(whose)), wanted));
  }

  rollback(whose: Whose, which: number, pick: Pick): void {
    const { store } = this.process(which);
    const row = store.workspace(whose);
    const versions = store.history.list(row.number);
    if (versions.length > 0) this.#rollbackTo(store, whose, row, pick(versions).versionId);
  }

  #rollbackTo(store: Store, whose: Whose, row: WorkspaceRow, versionId: string): void {
    rollback(store, row, versionId, this.out(whose), { now: new Date(), ...quiet });
    expect(bytesBelow(this.out(whose))).toEqual(this.#published.get(versionId));
  }

  /** R3: every stored version is as it was published. */
  expectVersions(): void {
    const { store } = this.process(0);
    for (const whose of ["w", "neighbour"] as const) {
      const row = store.workspace(whose);
      for (const { versionId } of store.history.list(row.number)) {
        this.#rollbackTo(store, whose, row, versionId);
      }
    }
  }
}

/** A connection to the store, and a preview that runs through all changes. */
class Process {
  readonly store: Store;
  readonly #renderings: DraftRenderings;

  constructor(file: string, now: () => number) {
    this.store = openStore(file);
    this.#renderings = new DraftRenderings(this.store, "p", now);
  }

  preview(
    whose: Whose,
    inspect: (rendering: Rendering, row: WorkspaceRow, published: Rendering) => void,
  ): void {
    this.store.read(() => {
      const row = this.store.workspace(whose);
      inspect(this.#renderings.of(row), row, this.#renderings.published(row));
    });
  }
}

function expectAnswers(rendering: Rendering, { answers }: Wanted): void {
  for (const { address, document } of answers) {
    expect(answerFor(rendering, address), filePath(address)).toEqual(document);
  }
}

function expectDocuments(snapshot: Snapshot, wanted: Wanted): void {
  expect([...snapshot.documents.keys()].sort()).toEqual([...wanted.hashes.keys()].sort());
  for (const [path, document] of wanted.documents) {
    expect(snapshot.sha256(path)).toBe(wanted.hashes.get(path));
    expect(snapshot.document(path)).toEqual(document);
  }
}

function documentOf({ documents }: Wanted, path: string): JsonObject {
  const document = documents.get(path);
  if (document === undefined) throw new TypeError(`there is no document "${path}"`);
  return document;
}
