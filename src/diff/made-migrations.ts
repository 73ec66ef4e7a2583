import { isDeepStrictEqual } from "node:util";
import type { EntryChange } from "./compare-contents.ts";
import type { SchemaChange } from "./schema-change.ts";

/** D5: the changes without the migrations of fields whose served values were moved already. */
export function withoutMadeMigrations(
  schema: readonly SchemaChange[],
  entries: readonly EntryChange[],
): SchemaChange[] {
  return schema.map((change) => {
    const { migrations = [], ...rest } = change;
    // The new field is the last word of the command.
    const isMade = migrations.some((command) =>
      hasMoved(change.at, command.slice(command.lastIndexOf(" ") + 1), entries),
    );
    return isMade ? rest : change;
  });
}

/** Whether each value of the field that entries served is under the new key now, and there is one. */
function hasMoved(
  { kind, key, field = "" }: SchemaChange["at"],
  to: string,
  entries: readonly EntryChange[],
): boolean {
  let moved = 0;
  for (const { fields, contentModelKey, contentModelKeyBefore = contentModelKey } of entries) {
    if (kind === "model" && contentModelKeyBefore !== key) continue;
    for (const { path, change, before = null } of fields) {
      const around = path.slice(0, -field.length);
      const isInBlock = around !== "/";
      if (change !== "removed" || before === null || path !== `${around}${field}`) continue;
      if (!around.endsWith("/") || isInBlock !== (kind === "block")) continue;
      const now = fields.find((one) => one.change === "added" && one.path === `${around}${to}`);
      if (!isDeepStrictEqual(now?.after, before)) return false;
      moved += 1;
    }
  }
  return moved > 0;
}
