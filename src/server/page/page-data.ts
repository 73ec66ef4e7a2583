import { type Address, urlPath } from "../../documents/address.ts";
import { documentAt } from "../../documents/documents.ts";
import type { DraftRenderings } from "../draft-renderings.ts";
import type { LiveDrafts } from "../live-drafts.ts";
import type { PreviewedDrafts } from "../previewed-drafts.ts";
import type { AccessKey } from "./access-key.ts";
import { type DraftState, DraftStates } from "./draft-state.ts";
import { entryView } from "./entry-view.ts";
import { contentEntryViews, experienceView } from "./experience-view.ts";
import { overview, projectView } from "./project-view.ts";

/** The path prefix of html assets, which the page shows in frames. */
export const HTML_ASSETS = "/_svc/html/";

/** Answers the page's queries about records and documents of drafts, each from one read transaction (H5). */
export class PageData {
  readonly #drafts: PreviewedDrafts;
  readonly #live: Pick<LiveDrafts, "state">;
  readonly #key: AccessKey;
  readonly #states: DraftStates;
  readonly #minted = new Map<number, { readonly token: string; readonly expiresAt: string }>();

  constructor(
    drafts: PreviewedDrafts,
    renderings: DraftRenderings,
    live: Pick<LiveDrafts, "state">,
    key: AccessKey,
  ) {
    this.#drafts = drafts;
    this.#live = live;
    this.#key = key;
    this.#states = new DraftStates(drafts, renderings);
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
        });
      }
      const state = this.#states.of(query.get("workspace") ?? "");
      return state?.remembered(`${name} ${query}`, () => {
        const answer = this.#queried(state, name, query);
        return answer === undefined || Buffer.isBuffer(answer) ? answer : JSON.stringify(answer);
      });
    });
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

  /**
   * H15: a preview token for use outside of the page, as JSON `{ token, expiresAt }`: the one that it
   * returned before, if that is valid for another hour. Undefined when the workspace does not exist.
   */
  mintToken(workspaceId: string, now: Date): string | undefined {
    const workspace = this.#drafts.workspaces().find(({ id }) => id === workspaceId);
    if (workspace === undefined) return undefined;
    const { number } = workspace;
    const made = this.#minted.get(number);
    const inAnHour = new Date(now.getTime() + HOUR);
    if (made && this.#drafts.tokens.held(number).isValid(made.token, inAnHour)) {
      return JSON.stringify(made);
    }
    const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME);
    const options = { name: "preview page", createdAt: now, expiresAt };
    const { token } = this.#drafts.tokens.create(number, options);
    const minted = { token, expiresAt: expiresAt.toISOString() };
    this.#minted.set(number, minted);
    return JSON.stringify(minted);
  }

  readonly #htmlUrl = (sha256: string) =>
    `${HTML_ASSETS}${sha256}/${this.#key.ticket(`html ${sha256}`)}`;

  #queried(state: DraftState, name: string, query: URLSearchParams): object | Buffer | undefined {
    const parameter = (key: string) => query.get(key) ?? "";
    const [projectId, experienceId] = [parameter("project"), parameter("experience")];
    const htmlUrl = this.#htmlUrl;
    switch (name) {
      case "project":
        return projectView(state, projectId, htmlUrl);
      case "experience":
        return experienceView(state, projectId, experienceId);
      case "content": {
        const most = Number(parameter("most")) || 0;
        return { entries: contentEntryViews(state, projectId, experienceId, most, htmlUrl) };
      }
      case "entry":
        return entryView(state, parameter("id"), htmlUrl, projectId);
      case "documents":
        return { documents: documentLines(state, projectId, experienceId) };
      case "document": {
        const kind = parameter("kind") as Address["kind"];
        const address = { kind, projectId, experienceId };
        return documentAt(state.rendering, address, "preview")?.bytes(null);
      }
      default:
        return undefined;
    }
  }
}

export type DocumentLine = ReturnType<typeof documentLines>[number];

function documentLines(state: DraftState, projectId: string, experienceId: string) {
  const addresses: Address[] = [
    { kind: "project", projectId },
    { kind: "content", projectId, experienceId },
    { kind: "schema", projectId },
  ];
  return addresses.map((address) => {
    const document = documentAt(state.rendering, address, "preview");
    // In bytes; null when the draft has no such document (E6).
    const size = document?.size ?? null;
    return { kind: address.kind, path: urlPath(address), size };
  });
}

const HOUR = 60 * 60 * 1000;
/** A working day, in milliseconds. */
const TOKEN_LIFETIME = 8 * HOUR;
