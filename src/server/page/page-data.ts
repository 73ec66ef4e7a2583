import type { Live } from "../live.ts";
import type { AccessKey } from "./access-key.ts";
import { answerFor } from "./answers.ts";
import { DraftStates } from "./draft-state.ts";
import { overview } from "./overview.ts";
import type { PageRenderings, PageStore, Sides } from "./page-store.ts";

/** The path of what the page shows in a frame. */
export const HTML_ASSETS = "/_svc/html/";

/** Answers what the page asks about drafts, each from one read transaction (H5). */
export class PageData {
  readonly #store: PageStore;
  readonly #sides: Sides;
  readonly #live: Pick<Live, "state">;
  readonly #key: AccessKey;
  readonly #states: DraftStates;

  constructor(
    store: PageStore,
    renderings: PageRenderings,
    sides: Sides,
    live: Pick<Live, "state">,
    key: AccessKey,
  ) {
    this.#store = store;
    this.#sides = sides;
    this.#live = live;
    this.#key = key;
    this.#states = new DraftStates(store, renderings);
  }

  /**
   * JSON for what is asked for by name and query; undefined when there is no such thing, or not
   * any more.
   */
  answer(name: string, query: URLSearchParams): Buffer | string | undefined {
    return this.#store.read(() => {
      if (name === "overview") {
        return JSON.stringify({
          ...overview(this.#store, this.#states, this.#live),
          eventsTicket: this.#key.ticket("events"),
        });
      }
      return this.#about(name, query);
    });
  }

  /** The bytes of an asset that any draft holds, for whoever has its ticket. */
  htmlAsset(path: string): Uint8Array | undefined {
    const [sha256 = "", ticket = ""] = path.slice(HTML_ASSETS.length).split("/");
    if (!this.#key.isTicket(ticket, `html ${sha256}`)) return undefined;
    return this.#store.read(() => {
      const [first] = this.#states.all();
      return first?.draft.fileBytes(sha256);
    });
  }

  /**
   * JSON of a preview token for addresses that leave the page, and of when it ends; undefined when
   * there is no such workspace.
   */
  mintToken(workspaceId: string, now: Date): string | undefined {
    const workspace = this.#store.workspaces().find(({ id }) => id === workspaceId);
    if (workspace === undefined) return undefined;
    const expiresAt = new Date(now.getTime() + TOKEN_LIFE);
    const how = { name: "preview page", createdAt: now, expiresAt };
    const { token } = this.#store.tokens.create(workspace.number, how);
    return JSON.stringify({ token, expiresAt: expiresAt.toISOString() });
  }

  #about(name: string, query: URLSearchParams): Buffer | string | undefined {
    const state = this.#states.of(query.get("workspace") ?? "");
    if (state === undefined) return undefined;
    const version = this.#store.history.current(state.workspace.number);
    return state.remembered(`${version} ${name} ${query}`, () => {
      const [store, sides, htmlUrl] = [this.#store, this.#sides, this.#htmlUrl];
      const found = answerFor(name, { state, query, store, sides, htmlUrl });
      return found === undefined || Buffer.isBuffer(found) ? found : JSON.stringify(found);
    });
  }

  readonly #htmlUrl = (sha256: string) =>
    `${HTML_ASSETS}${sha256}/${this.#key.ticket(`html ${sha256}`)}`;
}

/** As long as a working day, in milliseconds. */
const TOKEN_LIFE = 8 * 60 * 60 * 1000;
