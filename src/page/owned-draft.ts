import { setImmediate } from "node:timers/promises";
import type { Address } from "../documents/address.ts";
import { KnownDocuments } from "../documents/changed-documents.ts";
import type { DraftOwner, ShownPage } from "../server/draft-owner.ts";
import { DraftRenderings } from "../server/draft-renderings.ts";
import type { LiveState } from "../server/live.ts";
import { Preview } from "../server/preview.ts";
import { type PreviewedDrafts, workspaceOfToken } from "../server/previewed-drafts.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Severities } from "../workspace/severity.ts";
import { AccessKey } from "./access-key.ts";
import type { Actions } from "./actions.ts";
import type { SnapshotSource } from "./changes.ts";
import { type DraftState, DraftStates } from "./draft-state.ts";
import { mintTokens } from "./minted-tokens.ts";
import type { OlderSource } from "./older-values.ts";
import type { DraftFiles } from "./problem-list.ts";
import { overview } from "./project-view.ts";
import { answerTo, comparesPublished, isPrepared, isQuery, needsOlder } from "./queries.ts";
import { RecordList } from "./record-list.ts";

/** The path prefix of html assets, which the page shows in frames. */
export const HTML_ASSETS = "/_svc/html/";

/** H12: how long others wait for work in parts, in milliseconds. */
const SLICE = 20;

const NO_PAGE: ShownPage = { key: "", sites: new Map(), actions: [] };

interface OwnedOptions {
  readonly live: { state(): LiveState };
  readonly snapshots: SnapshotSource;
  /** Of a folder. */
  readonly files?: DraftFiles | undefined;
  readonly older?: OlderSource | undefined;
  readonly severity?: Severities | undefined;
  /** Reads the clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** H41: what the page does, beside making tokens. */
  readonly actions?: (states: DraftStates) => Actions;
}

/** The one owner of drafts, in this thread. Each answer is from one read transaction (H5). */
export class OwnedDraft implements DraftOwner {
  readonly #drafts: PreviewedDrafts;
  readonly #options: OwnedOptions;
  readonly #preview: Preview;
  readonly #states: DraftStates;
  readonly #actions: Actions;
  /** By workspace number. */
  readonly #lists = new Map<number, RecordList>();
  readonly #documents = new KnownDocuments();
  /** The workspaces of which all texts are read (H38). */
  readonly #opened = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(drafts: PreviewedDrafts, options: OwnedOptions) {
    const renderings = new DraftRenderings(drafts, options.now, options.severity);
    this.#drafts = drafts;
    this.#options = options;
    this.#preview = new Preview(drafts, renderings);
    this.#states = new DraftStates(drafts, renderings);
    const token = { isLoopbackOnly: false, run: mintTokens(drafts) };
    this.#actions = { token, ...options.actions?.(this.#states) };
  }

  async workspaces() {
    return this.#drafts.read(() =>
      this.#states.all().map(({ workspace, draft }) => {
        return { id: workspace.id, projectIds: draft.projects.map(({ id }) => id) };
      }),
    );
  }

  async document(address: Address, tokens: readonly string[]) {
    return this.#preview.document(address, tokens);
  }

  async file(path: string) {
    return this.#drafts.draftFile(path);
  }

  async mark(project: string, tokens: readonly string[]) {
    return this.#drafts.read(() => {
      const isValid = workspaceOfToken(this.#drafts, project, tokens, new Date()) !== undefined;
      return isValid ? this.#drafts.changeMark : undefined;
    });
  }

  async changes(project: string, tokens: readonly string[], since: string, signal: AbortSignal) {
    const stateOf = () => {
      const workspace = workspaceOfToken(this.#drafts, project, tokens, new Date());
      return workspace && this.#states.of(workspace.id);
    };
    return this.#inSlices(stateOf, signal, ({ rendering }, until) => {
      if (!this.#documents.shown(rendering, project).isDoneBy(until)) return undefined;
      const changes = this.#documents.changes(rendering, project, since);
      return { made: { ...changes, mark: this.#drafts.changeMark } };
    });
  }

  async answer(
    name: string,
    query: string,
    signal: AbortSignal = new AbortController().signal,
    page: ShownPage = NO_PAGE,
  ) {
    const [parameters, key] = [new URLSearchParams(query), new AccessKey(page.key)];
    const states = this.#states.at(parameters.get("as-of") ?? "");
    if (name === "overview") return this.#overview(states, page);
    if (!isQuery(name)) return undefined;
    const { snapshots, files, older } = this.#options;
    if (comparesPublished(name, parameters)) await snapshots.fetch();
    const parameter = (one: string) => parameters.get(one) ?? "";
    const draft = needsOlder(parameters) && older && states.of(parameter("workspace"))?.draft;
    if (draft) await older.fetch(draft, parameters.has("id") ? [parameter("id")] : undefined);
    const htmlUrl = (sha256: string) => `${HTML_ASSETS}${sha256}/${key.ticket(`html ${sha256}`)}`;
    const own = {
      query: parameters,
      parameter,
      htmlUrl,
      sites: page.sites,
      snapshots,
      files,
      older,
    };
    const stateOf = () => states.of(parameter("workspace"));
    if (page !== NO_PAGE) this.#readTexts(parameter("workspace"));
    return this.#inSlices(stateOf, signal, (state, until) => {
      const list = this.#listOf(state);
      const asked = { ...own, state, list };
      if (!isPrepared(name, asked, until)) return undefined;
      const made = state.remembered(
        `${snapshots.mark()} ${older?.mark} ${list.reads} ${name} ${query}`,
        () => {
          const answer = answerTo(name, asked);
          return answer === undefined || Buffer.isBuffer(answer) ? answer : JSON.stringify(answer);
        },
      );
      return { made };
    });
  }

  async htmlAsset(sha256: string) {
    return this.#drafts.read(() => {
      const [first] = this.#states.all();
      return first?.draft.fileBytes(sha256);
    });
  }

  async act(name: string, workspaceId: string, body: JsonObject, bytes?: Uint8Array) {
    const action = Object.hasOwn(this.#actions, name) ? this.#actions[name] : undefined;
    return action?.run(workspaceId, body, new AbortController().signal, bytes);
  }

  #overview(states: DraftStates, { key, sites, actions }: ShownPage): string {
    return this.#drafts.read(() =>
      JSON.stringify({
        ...overview(this.#drafts, states, this.#options.live),
        eventsTicket: new AccessKey(key).ticket("events"),
        hasSite: sites.size > 0,
        actions,
      }),
    );
  }

  #listOf({ workspace: { number } }: DraftState): RecordList {
    const list = this.#lists.get(number) ?? new RecordList();
    this.#lists.set(number, list);
    return list;
  }

  /** H38: all that a search of a workspace needs, as the page is open. */
  #readTexts(workspaceId: string): void {
    if (this.#opened.has(workspaceId)) return;
    this.#opened.add(workspaceId);
    const { signal } = new AbortController();
    this.#inSlices(
      () => this.#states.of(workspaceId),
      signal,
      (state, until) => {
        const isDone = this.#listOf(state).read(state, until - performance.now());
        return isDone ? { made: undefined } : undefined;
      },
    ).catch(() => this.#opened.delete(workspaceId));
  }

  /**
   * H12: goes on with what something needs in slices, in each of the state that is current then, until it is
   * made; undefined: there is no state. What was worked out about a state stays with it, for all who ask.
   */
  async #inSlices<T>(
    stateOf: () => DraftState | undefined,
    signal: AbortSignal,
    work: (state: DraftState, until: number) => { readonly made: T } | undefined,
  ): Promise<T | undefined> {
    // What needs no work does not wait.
    for (let until = 0; ; until = performance.now() + SLICE) {
      const step = this.#drafts.read(() => {
        const state = stateOf();
        return state === undefined ? { made: undefined } : work(state, until);
      });
      if (step !== undefined) return step.made;
      // One slice in each turn, whoever asks, so that what has come meanwhile is answered in between.
      this.#turn = this.#turn.then(() => setImmediate());
      await this.#turn;
      signal.throwIfAborted();
    }
  }
}
