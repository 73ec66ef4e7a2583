import { nothingPublished } from "../diff/snapshot.ts";
import { checkDraft } from "../documents/check-draft.ts";
import { ALWAYS, isWithin } from "../documents/hidden-entries.ts";
import type { Store } from "../store/store.ts";
import type { Draft, WorkspaceRow } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Hold } from "../workspace/hold.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Severities } from "../workspace/severity.ts";
import {
  type Before,
  completing,
  type DraftSource,
  publishedRendering,
  type Rendered,
  type RenderOptions,
  renderDraft,
} from "./draft-source.ts";
import { beforeIn, isContent } from "./folder-source.ts";
import { provenSide } from "./sides.ts";
import { storedVersion, type Version } from "./version.ts";

/** What the store keeps of the last publish of a draft (R10). */
interface Outcome extends Omit<Rendered, "version"> {
  readonly versionId: string;
}

interface SavedOutcome extends Omit<Outcome, "span"> {
  readonly program: string;
  readonly revision: number;
  readonly severity: Severities;
  /** JSON has no infinite numbers. */
  readonly from: number | null;
  readonly until: number | null;
}

/** The draft of a workspace in a store, which keeps its versions. */
export class StoreSource implements DraftSource {
  readonly #store: Store;
  readonly #workspace: WorkspaceRow;

  constructor(store: Store, workspace: WorkspaceRow) {
    this.#store = store;
    this.#workspace = workspace;
  }

  get workspaceId(): string {
    return this.#workspace.id;
  }

  get hold(): Hold | undefined {
    return this.#store.history.hold(this.#workspace.number);
  }

  get clock(): string | null {
    const { history } = this.#store;
    const { number } = this.#workspace;
    return this.#store.read(() => {
      const versionId = history.current(number);
      return versionId === undefined ? null : history.clock(number, versionId);
    });
  }

  read<T>(work: (draft: Draft) => T): T {
    return this.#store.read(() => work(this.#store.draft(this.#workspace)));
  }

  check(options: RenderOptions): readonly Problem[] {
    const [store, workspace] = [this.#store, this.#workspace];
    const check = () => checkDraft(publishedRendering(store.draft(workspace), options), options);
    return store.read(() => this.#last(options)?.problems ?? check());
  }

  before(out: string): Before {
    const [store, workspace] = [this.#store, this.#workspace];
    const versionId = store.history.current(workspace.number);
    if (versionId === undefined) {
      const side = () => nothingPublished("store", store.file);
      return { ...beforeIn(out, workspace.id), versionId, side };
    }
    return {
      versionId,
      paths: store.versions.paths(workspace.number, versionId),
      *contents(version) {
        const { documents, frozenBytes } = storedVersion(store, workspace, versionId);
        const hashes = new Map(version.documents.map(({ path, sha256 }) => [path, sha256]));
        for (const { path, sha256 } of documents) {
          if (!isContent(path)) continue;
          yield { isKept: hashes.get(path) === sha256, bytes: () => frozenBytes(path) };
        }
      },
      side: () => provenSide(store, workspace, versionId),
    };
  }

  commit<T>(work: () => T): T {
    return this.#store.write(work);
  }

  attempt<T>(work: () => T): T {
    return this.#store.attempt(work);
  }

  /** The version of the last publish, if the same one comes of it again: nothing is rendered then. */
  render(options: RenderOptions): Rendered {
    const [store, workspace] = [this.#store, this.#workspace];
    const { versions } = store;
    const last = this.#last(options);
    if (last !== undefined && versions.has(workspace.number, last.versionId)) {
      return { ...last, version: storedVersion(store, workspace, last.versionId) };
    }
    store.checkIntegrity();
    const save = (hash: string, bytes: Buffer) => versions.saveDocument(hash, bytes);
    const rendered = renderDraft(store.draft(workspace), options, save);
    const { program, severity = {} } = options;
    const { version, span, ...outcome } = rendered;
    const of = { program, revision: workspace.revision, severity, versionId: version.versionId };
    if (program !== undefined) {
      store.outcomes.save(workspace.number, { ...of, ...span, ...outcome });
    }
    return rendered;
  }

  keep({ version, span }: Rendered, now: Date, clock: string): void {
    const { versions, history } = this.#store;
    const { number } = this.#workspace;
    const { versionId } = version;
    const exists = versions.has(number, versionId);
    // The documents may have had the URL of an asset before the store had the asset itself.
    if (exists) versions.addFiles(number, versionId, version.files);
    else versions.add(number, version, now, clock);
    if (history.current(number) !== versionId) {
      history.makeCurrent(number, versionId, exists ? "republish" : "publish", now);
    }
    // A5a, A6: if something fell due since the version's own reading.
    const before = history.clock(number, versionId);
    const wasWithin = isWithin(span, before === null ? ALWAYS.from : Date.parse(before));
    if (!wasWithin) history.setClock(number, versionId, clock);
  }

  prune(keep: number): readonly string[] {
    return this.#store.history.prune(this.#workspace.number, keep);
  }

  /** In one read transaction: other processes may change the store meanwhile. */
  write<T>(version: Version, work: () => T): T {
    const [store, { number }] = [this.#store, this.#workspace];
    const state = ["the current one in the store", "svc write"] as const;
    const read = () => {
      if (store.versions.has(number, version.versionId)) return work();
      throw new SvcError("version-pruned", "another publish has pruned the version meanwhile", {
        hint: "keep more versions with --keep",
      });
    };
    return completing(version, state, () => store.read(read));
  }

  /** R10: of the last publish, if neither a draft, the program nor the severities changed, and nothing fell due (A5). */
  #last({ program, at = ALWAYS.from, severity = {} }: RenderOptions): Outcome | undefined {
    const { number, revision } = this.#workspace;
    if (program === undefined) return undefined;
    const found = this.#store.outcomes.find(number) as SavedOutcome | undefined;
    if (found?.program !== program || found.revision !== revision) return undefined;
    if (JSON.stringify(found.severity) !== JSON.stringify(severity)) return undefined;
    const span = { from: found.from ?? ALWAYS.from, until: found.until ?? ALWAYS.until };
    return isWithin(span, at) ? { ...found, span } : undefined;
  }
}
