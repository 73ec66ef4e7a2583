import { setTimeout } from "node:timers/promises";
import { entryIn, refused } from "../../folder/edit/entry-texts.ts";
import type { FolderEditor } from "../../folder/edit/folder-editor.ts";
import type { DraftState } from "../../page/draft-state.ts";
import type { Edited } from "../../page/edited.ts";
import { storedChange } from "../../page/stored-changes.ts";
import type {
  ComparedVersions,
  EntryHistory,
  FileVersion,
  Saved,
  SavePlan,
  Saving,
  TeamState,
} from "../../page/team.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { Git } from "./git.ts";
import { toldChanges } from "./git-changes.ts";
import { blobsOf, entryHistory } from "./git-entry-history.ts";
import type { Merging } from "./git-merge.ts";
import { savedForTeam } from "./git-save.ts";
import { workIn } from "./git-work.ts";

/** How many versions are shown first, and at most. */
const [SHOWN, MOST] = [20, 1000];
/** Of the words of a commit, in characters. */
const LONGEST = 10_000;
/** H11: a connection without a byte is closed, and a hook may take minutes. */
const ANSWERS_WITHIN = 20_000;

type Choices = Merging["choices"];

/** H76 to H79: what the page asks and does by the Git of this machine. */
export class GitActions {
  readonly #folder: string;
  readonly #git: Git;
  readonly #editor: FolderEditor;
  readonly #read: (files: readonly string[]) => void;
  readonly #answersWithin: number;
  #saving: Promise<Saved> | undefined;
  #isSaving = false;

  /** @param read reads these files again, so that the draft has them */
  constructor(
    folder: string,
    editor: FolderEditor,
    read: (files: readonly string[]) => void,
    answersWithin = ANSWERS_WITHIN,
  ) {
    this.#answersWithin = answersWithin;
    this.#folder = folder;
    this.#git = new Git(folder);
    this.#editor = editor;
    this.#read = read;
  }

  /** H77. */
  async state(): Promise<{ readonly state: TeamState | null }> {
    const prefix = await this.#git.prefix();
    return { state: prefix === undefined ? null : (await workIn(this.#git, prefix)).state };
  }

  /** H78. */
  async plan(state: DraftState): Promise<SavePlan> {
    const prefix = await this.#prefix();
    const work = await workIn(this.#git, prefix);
    const told = await toldChanges(this.#git, this.#folder, state, work.changes);
    return { state: work.state, ...told };
  }

  /** H78, H79: one at a time. With `wait` that which runs is waited for. */
  async save(state: DraftState, { message, choices, wait }: JsonObject): Promise<Saving> {
    if (wait !== true) {
      if (this.#isSaving) throw refused("it is being saved already", "wait until that has ended");
      const words = typeof message === "string" ? message.slice(0, LONGEST) : "";
      this.#isSaving = true;
      this.#saving = this.#save(state, words, choicesIn(choices)).finally(() => {
        this.#isSaving = false;
      });
      // Whoever asked may be gone when it fails.
      this.#saving.catch(() => {});
    }
    if (this.#saving === undefined) throw refused("nothing is being saved", "load the page again");
    const later = setTimeout(this.#answersWithin, { isRunning: true } as const, { ref: false });
    return Promise.race([this.#saving, later]);
  }

  async #save(state: DraftState, words: string, choices: Choices): Promise<Saved> {
    const prefix = await this.#prefix();
    return savedForTeam(this.#git, prefix, words, { state, choices, came: this.#read });
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

function choicesIn(value: JsonValue | undefined): Choices {
  const given = isJsonObject(value ?? null) ? Object.entries(value as JsonObject) : [];
  return new Map(
    given.flatMap(([key, side]) =>
      side === "mine" || side === "theirs" ? [[key, side] as const] : [],
    ),
  );
}
