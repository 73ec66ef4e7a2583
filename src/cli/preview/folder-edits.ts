import { FolderEditor } from "../../folder/edit/folder-editor.ts";
import type { Action } from "../../page/actions.ts";
import type { DraftState, DraftStates } from "../../page/draft-state.ts";
import type {
  Checked,
  EDITS,
  Edited,
  EntryNames,
  OpenedAsset,
  OpenedForm,
  PageNames,
} from "../../page/edited.ts";
import type { TeamAnswer } from "../../page/team.ts";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import { changeAssetTexts, openAsset, putAsset, removeAsset } from "./asset-edits.ts";
import { dropValue } from "./dropped-value.ts";
import { changeFields, checkFields, openForm, text, titleOf } from "./field-edits.ts";
import type { FolderDrafts } from "./folder-drafts.ts";
import { GitActions } from "./git-actions.ts";
import { assertFree, newEntry, takenIn } from "./new-entry.ts";
import { newPage } from "./new-page.ts";

type Answer =
  | OpenedForm
  | Checked
  | OpenedAsset
  | EntryNames
  | PageNames
  | Partial<Edited>
  | TeamAnswer;

/**
 * H42 to H45: the actions of `svc dev --edit`.
 *
 * @param read reads these files of the folder again, relative to it, so that the drafts have them.
 */
export function folderEdits(
  folder: string,
  drafts: FolderDrafts,
  states: DraftStates,
  read: (files: readonly string[]) => void,
): Record<(typeof EDITS)[number], Action> {
  const editor = new FolderEditor(folder);
  const git = new GitActions(folder, editor, read);

  const action = (
    run: (state: DraftState, body: JsonObject, bytes: Uint8Array) => Answer | Promise<Answer>,
    { isChange = true, isOfEntry = true } = {},
  ): Action => ({
    isLoopbackOnly: true,
    async run(workspaceId, body, _, bytes = new Uint8Array()) {
      if (isOfEntry && !("model" in body)) await editor.locate(text(body, "id"));
      const state = states.of(workspaceId);
      if (state === undefined) return undefined;
      const result = await run(state, body, bytes);
      if (!isChange) return result;
      // So that the page, which asks again at each change, has it when the form is closed.
      const written = editor.takeWritten();
      if (written.length > 0) read(written);
      return { warnings: [], undo: editor.last ?? null, ...result };
    },
  });

  /** H67, H68: a new entry, or the copy `of` one. */
  const added = async (state: DraftState, body: JsonObject) => {
    const of = text(body, "of");
    if (of !== "") await editor.locate(of);
    return newEntry(state, drafts.draft(), body, of === "" ? undefined : editor.find(of).record);
  };

  return {
    "edit-open": action((state, body) => openForm({ editor, state, draft: drafts.draft() }, body), {
      isChange: false,
    }),

    "edit-check": action(
      (state, body) => checkFields({ editor, state, draft: drafts.draft() }, body),
      { isChange: false },
    ),

    edit: action((state, body) => changeFields({ editor, state, draft: drafts.draft() }, body)),

    "edit-publishing": action((state, body) => {
      const id = text(body, "id");
      const { hash } = editor.find(id);
      const what = `when “${titleOf(state, id)}” is published`;
      editor.change(what, { id, hash }, ({ id: own = "", modelId = "", ...record }) => {
        const { draft, publishAt, unpublishAt, ...rest } = record;
        const all = { draft, publishAt, unpublishAt, ...publishingIn(body) };
        const kept = Object.entries(all).filter(([, value]) => value !== undefined);
        return { id: own, modelId, ...Object.fromEntries(kept), ...rest };
      });
      return {};
    }),

    "edit-names": action(async (state, body) => (await added(state, body)).names, {
      isChange: false,
      isOfEntry: false,
    }),

    "edit-add": action(
      async (state, body) => {
        const { names, record, modelId } = await added(state, body);
        const { id, title } = names;
        const of = text(body, "of");
        const all = [...state.draft.entries.values()];
        const beside = of || all.find((one) => one.modelId === modelId)?.id;
        if (beside !== undefined) await editor.locate(beside);
        const what = of === "" ? `new entry “${title || id}”` : `copy of “${titleOf(state, of)}”`;
        editor.add(`the ${what}`, record(), beside, of !== "");
        return { id };
      },
      { isOfEntry: false },
    ),

    "edit-rename": action(async (state, body) => {
      const [id, newId] = [text(body, "id"), text(body, "newId")];
      const { workspace, models, blocks, entries } = state.draft;
      const others = [...entries.keys()].filter((one) => one !== id);
      assertFree(newId, takenIn(others));
      const ids = new Set(entries.keys());
      const definitions = { folder, workspace, models, blocks, entries: ids, locales: [] };
      await editor.rename(`the new id of “${titleOf(state, id)}”`, definitions, id, newId);
      return { id: newId };
    }),

    "page-names": action((state, body) => newPage(state, text(body, "project"), body).names, {
      isChange: false,
      isOfEntry: false,
    }),

    "page-add": action(
      (state, body) => {
        const id = text(body, "project");
        const { names, addedTo } = newPage(state, id, body);
        const { hash } = editor.find(id, "projects");
        const what = `page “${names.title || names.id}”`;
        editor.change(`the new ${what}`, { kind: "projects", id, hash }, addedTo);
        return { id: names.id, done: `Made the ${what}.` };
      },
      { isOfEntry: false },
    ),

    "edit-remove": action((state, body) => {
      const id = text(body, "id");
      const { hash } = editor.find(id);
      editor.change(`the deletion of “${titleOf(state, id)}”`, { id, hash }, () => undefined);
      return {};
    }),

    "edit-drop": action((state, body) => dropValue(editor, state, body)),

    "asset-open": action((state, body) => openAsset(editor, state, text(body, "id")), {
      isChange: false,
      isOfEntry: false,
    }),

    "asset-edit": action(
      (state, body) => {
        changeAssetTexts(editor, state, body);
        return {};
      },
      { isOfEntry: false },
    ),

    "asset-put": action(
      (state, body, bytes) => {
        const [name, replaces] = [text(body, "name"), text(body, "replaces")];
        return putAsset(
          editor,
          state,
          { name, replaces, again: text(body, "again") !== "" },
          bytes,
        );
      },
      { isOfEntry: false },
    ),

    "asset-remove": action(
      (state, body) => {
        removeAsset(editor, state, text(body, "id"));
        return {};
      },
      { isOfEntry: false },
    ),

    "git-state": action(() => git.state(), { isChange: false, isOfEntry: false }),
    "git-plan": action((state) => git.plan(state), { isChange: false, isOfEntry: false }),
    "git-save": action((state, body) => git.save(state, body), {
      isChange: false,
      isOfEntry: false,
    }),
    "git-history": action((state, body) => git.history(state, body), { isChange: false }),
    "git-compare": action((state, body) => git.compare(state, body), { isChange: false }),
    "git-restore": action((state, body) =>
      git.restore(`bringing back “${titleOf(state, text(body, "id"))}”`, body),
    ),

    undo: action(() => ({ undone: editor.undo() }), { isOfEntry: false }),
  };
}

/** A1, A4, A7: the members that are given; null or false: there shall be none. */
function publishingIn(body: JsonObject): Record<string, JsonValue | undefined> {
  const names = ["draft", "publishAt", "unpublishAt"].filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, body[name] || undefined]));
}
