import { refused } from "../../folder/edit/entry-texts.ts";
import type { FolderEditor } from "../../folder/edit/folder-editor.ts";
import { deadName, withoutDead } from "../../page/dead-values.ts";
import type { DraftState } from "../../page/draft-state.ts";
import type { Edited } from "../../page/edited.ts";
import type { JsonObject } from "../../workspace/json.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import { shortened } from "../../workspace/shortened.ts";
import { problemsOf } from "./edit-problems.ts";
import { text, titleOf } from "./field-edits.ts";

/** The longest name that is said, in characters. */
const LONGEST = 80;

/** H82: removes a dead value of an entry, if it is what the request says; what its field lacks then is a warning. */
export function dropValue(
  editor: FolderEditor,
  state: DraftState,
  body: JsonObject,
): Partial<Edited> {
  const [id, path, code, name] = ["id", "path", "code", "name"].map((one) => text(body, one));
  const entry = id as string;
  const { hash } = editor.find(entry);
  const [said, title] = [`“${shortened(name as string, LONGEST)}”`, titleOf(state, entry)];
  let warnings: readonly string[] = [];
  editor.change(`the removal of ${said} of “${title}”`, { id: entry, hash }, (record) => {
    const head = state.draft.entries.get(entry);
    const data = record.data as JsonObject;
    const before = head ? problemsOf(state.rendering, head, data) : [];
    const found = before.find((one) => one.code === code && one.at.path === path);
    const isSame = found !== undefined && deadName(found) === name;
    const after = isSame ? withoutDead(state, String(record.modelId), data, found) : undefined;
    if (head === undefined || after === undefined) {
      throw refused(`${said} is not there any more, or not dead`, "look at the entry again");
    }
    const had = new Set(before.map(problemMessage));
    const messages = new Set(problemsOf(state.rendering, head, after).map(problemMessage));
    warnings = [...messages].filter((one) => !had.has(one));
    return { ...record, data: after };
  });
  return { done: `Removed ${said} of ${title}.`, warnings };
}
