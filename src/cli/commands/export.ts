import { writeFolder } from "../../folder/write-folder.ts";
import { withStore } from "../../store/with-store.ts";
import { counted, countsText, filesText } from "../output/words.ts";
import type { Run } from "../table/table.ts";

export const exportCommand: Run<"export"> = async (
  output,
  { store: file, workspace, ndjson = false, folder },
) => {
  const { workspaceId, counts, files, left } = await withStore(file, (store) =>
    store.read(() => {
      const row = store.workspace(workspace);
      return { workspaceId: row.id, ...writeFolder(store.draft(row), folder, { ndjson }) };
    }),
  );
  const [other] = left;
  if (other !== undefined) {
    const files = counted(left.length, "record file");
    output.note(
      `warning: ${files} left that svc export did not write and the draft does not have, e.g. ${other}`,
    );
  }
  output.result(
    { workspaceId, folder, counts, files, left },
    `exported "${workspaceId}" to ${folder}: ${countsText(counts)}\n${folder}: ${filesText(files)}`,
  );
  output.note("preview tokens are not exported: the store holds only their hashes");
};
