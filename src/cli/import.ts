import type { Counts } from "../workspace/records.ts";
import { action, command } from "./command.ts";
import { counted } from "./output.ts";

export const importFolder = command(
  "import",
  "Load a workspace folder into the store, as the workspace's whole draft.",
  ["svc import shop"],
)
  .argument("<folder>", "the workspace folder")
  .action(
    action(async (output, { store: file }, folder = "") => {
      const { readFolder } = await import("../folder/read-folder.ts");
      const { withStore } = await import("./with-store.ts");
      const notice = (text: string) => output.note(`warning: ${text}`);
      const { workspaceId, counts } = await withStore(file, { create: true }, (store) =>
        store.import(readFolder(folder, notice), new Date()),
      );
      output.result({ workspaceId, counts }, `imported "${workspaceId}": ${countsText(counts)}`);
      output.note("next: svc check, then svc publish");
      return 0;
    }),
  );

/** "2 models, 1 block, …" */
export function countsText(counts: Counts): string {
  return Object.entries(counts)
    .map(([kind, count]) => {
      const one = kind === "entries" ? "entry" : kind.slice(0, -1);
      return counted(count, one, kind);
    })
    .join(", ");
}
