import { readFolder } from "../folder/read-folder.ts";
import { action, command, notEmpty } from "./command.ts";
import { countsText } from "./output.ts";
import { withStoreMade } from "./with-store.ts";

export const importCommand = command("import", ["svc import shop"])
  .argument("<folder>", "the workspace folder", notEmpty)
  .action(
    action(async (output, { store: file }, folder = "") => {
      const notice = (text: string) => output.note(`warning: ${text}`);
      const { workspaceId, counts } = await withStoreMade(file, (store) =>
        store.import(readFolder(folder, notice), new Date()),
      );
      output.result({ workspaceId, counts }, `imported "${workspaceId}": ${countsText(counts)}`);
      output.note("next: svc check, then svc publish");
      return 0;
    }),
  );
