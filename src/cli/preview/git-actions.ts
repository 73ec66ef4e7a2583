import { entryIn, refused } from "../../folder/edit/entry-texts.ts";
import type { FolderEditor } from "../../folder/edit/folder-editor.ts";
import type { DraftState } from "../../page/draft-state.ts";
import type { Edited } from "../../page/edited.ts";
import { storedChange } from "../../page/stored-changes.ts";
import type { ComparedVersions, EntryHistory, FileVersion } from "../../page/team.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { Git } from "./git.ts";
import { blobsOf, entryHistory } from "./git-entry-history.ts";

/** How many versions are shown first, and at most. */
const [SHOWN, MOST] = [20, 1000];

/** H76: what the page asks and does by the Git of this machine. */
export class GitActions {
  readonly #git: Git;
  readonly #editor: FolderEditor;

  constructor(folder: string, editor: FolderEditor) {
    this.#git = new Git(folder);
    this.#editor = editor;
  }

  async history(state: DraftState, body: JsonObject): Promise<EntryHistory> {
    const prefix = await this.#prefix();
    const now = this.#editor.find(String(body.id));
    const most = Math.min(Math.max(Number(body.most) || SHOWN, 1), MOST);
    return entryHistory(this.#git, prefix, state, now, most);
  }

  /** Null: as it is now. */
  async compare(state: DraftState, { id, from, to }: JsonObject): Promise<ComparedVersions> {
    const [before, after] = await Promise.all(
      [from, to].map((one) =>
        one ? this.#record(String(id), one) : this.#editor.find(String(id)).record,
      ),
    );
    return { values: storedChange(state, before, after)?.values ?? [] };
  }

  /** H76a. */
  async restore(what: string, { id: given, version }: JsonObject): Promise<Partial<Edited>> {
    const id = String(given);
    const record = await this.#record(id, version ?? null);
    const { hash } = this.#editor.find(id);
    this.#editor.change(what, { id, hash }, () => record);
    return {};
  }

  async #prefix(): Promise<string> {
    const prefix = await this.#git.prefix();
    if (prefix !== undefined) return prefix;
    throw refused("this folder is in no Git repository", "there are no earlier versions of it");
  }

  async #record(id: string, version: JsonValue): Promise<JsonObject> {
    const { blob, file } = versionIn(version);
    await this.#prefix();
    const bytes = (await blobsOf(this.#git, [blob])).get(blob);
    const record = bytes && entryIn(file, bytes, id);
    if (record) return record;
    throw refused("the entry is not in that version", "choose another one");
  }
}

function versionIn(value: JsonValue): FileVersion {
  const [blob, file] = isJsonObject(value)
    ? [ownMember(value, "blob"), ownMember(value, "file")]
    : [];
  if (typeof blob === "string" && /^[0-9a-f]{40,64}$/.test(blob) && typeof file === "string") {
    return { blob, file };
  }
  throw refused("there is no such version", "load the page again");
}
