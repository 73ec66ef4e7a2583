import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { FolderDrafts } from "../../src/cli/preview/folder-drafts.ts";
import { folderEdits } from "../../src/cli/preview/folder-edits.ts";
import { FolderReader } from "../../src/folder/folder-reader.ts";
import type { Actions } from "../../src/page/actions.ts";
import { DraftStates } from "../../src/page/draft-state.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { type Files, workspaceFolder } from "./workspaces/workspace-folder.ts";

/** The actions of the page on a folder with these files. */
export function editedFolder(files: Files, folder?: string) {
  return folderWithEdits(workspaceFolder(files, folder));
}

/** The actions of the page on a folder that is there. */
export function folderWithEdits(folder: string) {
  const drafts = new FolderDrafts();
  const reader = new FolderReader(folder);
  drafts.change(reader.read());
  const readAgain = () => {
    try {
      drafts.change(reader.read());
    } catch {
      // A folder with faults keeps its draft.
    }
  };
  const states = new DraftStates(drafts, new DraftRenderings(drafts));
  const actions: Actions = folderEdits(folder, drafts, states, readAgain);
  const act = async <T = JsonObject>(
    name: string,
    body: object = {},
    bytes?: Uint8Array,
  ): Promise<T> => {
    const { signal } = new AbortController();
    const action = actions[name] as NonNullable<(typeof actions)[string]>;
    expect(action.isLoopbackOnly).toBe(true);
    return (await action.run("w", body as JsonObject, signal, bytes)) as T;
  };
  const read = (file = "entries/pages/start.json") => readFileSync(join(folder, file), "utf8");
  const edit = async (path: string, value: JsonValue | undefined, id = "home") => {
    const { was } = await act<{ was: JsonValue }>("edit-open", { id, path });
    return act("edit", { id, was, changes: [{ path, ...(value !== undefined && { value }) }] });
  };
  const refusal = async (what: Promise<unknown>) => {
    const error = await what.then(
      () => expect.unreachable("it was not refused"),
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(SvcError);
    return `${error.code}: ${error.message}`;
  };
  return { folder, drafts, act, edit, read, readAgain, refusal };
}
