import type { DraftRenderings } from "../server/draft-renderings.ts";
import type { LiveDrafts } from "../server/live-drafts.ts";
import type { PreviewedDrafts } from "../server/previewed-drafts.ts";
import type { AccessKey } from "./access-key.ts";
import { DraftStates } from "./draft-state.ts";
import { overview } from "./project-view.ts";
import { answerHere } from "./queries.ts";
import type { Sites } from "./site-address.ts";

/** The path prefix of html assets, which the page shows in frames. */
export const HTML_ASSETS = "/_svc/html/";

/** Answers the page's queries about records and documents of drafts, each from one read transaction (H5). */
export class PageData {
  readonly #drafts: PreviewedDrafts;
  readonly #live: Pick<LiveDrafts, "state">;
  readonly #key: AccessKey;
  readonly #states: DraftStates;
  readonly #sites: Sites;
  /** The names of what the page may do (H41). */
  readonly #actions: readonly string[];

  constructor(
    drafts: PreviewedDrafts,
    renderings: DraftRenderings,
    live: Pick<LiveDrafts, "state">,
    key: AccessKey,
    sites: Sites = new Map(),
    actions: readonly string[] = [],
  ) {
    this.#drafts = drafts;
    this.#live = live;
    this.#key = key;
    this.#sites = sites;
    this.#states = new DraftStates(drafts, renderings);
    this.#actions = actions;
  }

  /**
   * The JSON that answers the named query; undefined when the query or its subject does not exist.
   */
  answer(name: string, query: URLSearchParams): Buffer | string | undefined {
    return this.#drafts.read(() => {
      if (name === "overview") {
        return JSON.stringify({
          ...overview(this.#drafts, this.#states, this.#live),
          eventsTicket: this.#key.ticket("events"),
          hasSite: this.#sites.size > 0,
          actions: this.#actions,
        });
      }
      const state = this.#states.of(query.get("workspace") ?? "");
      return state?.remembered(`${name} ${query}`, () => {
        const parameter = (key: string) => query.get(key) ?? "";
        const [htmlUrl, sites] = [this.#htmlUrl, this.#sites];
        const answer = answerHere(name, { state, query, parameter, htmlUrl, sites });
        return answer === undefined || Buffer.isBuffer(answer) ? answer : JSON.stringify(answer);
      });
    });
  }

  hasWorkspace(workspaceId: string): boolean {
    return this.#drafts.read(() => this.#drafts.workspaces().some(({ id }) => id === workspaceId));
  }

  /** The bytes of an asset of any draft, at a path with its ticket. */
  htmlAsset(path: string): Uint8Array | undefined {
    const [sha256 = "", ticket = ""] = path.slice(HTML_ASSETS.length).split("/");
    if (!this.#key.isTicket(ticket, `html ${sha256}`)) return undefined;
    return this.#drafts.read(() => {
      const [first] = this.#states.all();
      return first?.draft.fileBytes(sha256);
    });
  }

  readonly #htmlUrl = (sha256: string) =>
    `${HTML_ASSETS}${sha256}/${this.#key.ticket(`html ${sha256}`)}`;
}
