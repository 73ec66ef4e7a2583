import { setImmediate as nextTurn } from "node:timers/promises";
import { shapeFaults } from "../../records/record-shapes.ts";
import { parseJsonText } from "../json-text.ts";
import { migrateFolder, recordsIn } from "../migrate/migrate-folder.ts";
import type { Definitions } from "../migrate/migration.ts";
import { renameEntry } from "../migrate/rename-entry.ts";
import { type EntryTexts, type FileChange, LONGEST_TURN, unreadable } from "./entry-texts.ts";

/**
 * H69: the changes of files by which an entry has another id, as `svc migrate` makes them (M9). Others are answered
 * while files are read.
 *
 * @throws SvcError `edit-refused` when a file that has the id cannot be read, `migration-refused`.
 */
export async function renamedEntry(
  texts: EntryTexts,
  definitions: Definitions,
  from: string,
  to: string,
): Promise<FileChange[]> {
  const rename = renameEntry(definitions, from, to);
  let [file, since] = ["", performance.now()];
  const mayChange = async (next: string) => {
    if (performance.now() - since > LONGEST_TURN) {
      await nextTurn();
      since = performance.now();
    }
    file = next;
    const text = texts.textOf(file) ?? "";
    if (!text.includes(`"${from}"`) && !text.includes("\\u")) return false;
    if (!isReadable(file, text)) throw unreadable(file);
    return true;
  };
  const migrated = await migrateFolder(
    definitions.folder,
    (kind, record) => {
      if (kind !== "workspace" && shapeFaults(kind, record).length > 0) throw unreadable(file);
      return rename(kind, record);
    },
    mayChange,
  );
  return migrated.flatMap(({ file, to, before, after }): FileChange[] =>
    to === undefined
      ? [{ file, before, after }]
      : [
          // First the new one: nothing is lost where only that is done.
          { file: to, before: undefined, after },
          { file, before, after: undefined },
        ],
  );
}

function isReadable(file: string, text: string): boolean {
  const isJsonc = file.endsWith(".jsonc");
  const begin = text.startsWith("\ufeff") ? 1 : 0;
  const parts = file.endsWith(".ndjson") ? [...recordsIn(file, text)] : [[begin, text.length]];
  return parts.every(
    ([start, end]) => "value" in parseJsonText(text.slice(start, end), { isJsonc }),
  );
}
