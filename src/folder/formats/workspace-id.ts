import { UsageError } from "../../workspace/errors.ts";
import { ID_RULE, isId, toId } from "../../workspace/ids.ts";

/**
 * The id that was given, or else one derived from a name of the export.
 *
 * @throws UsageError for one that is not valid.
 */
export function workspaceIdOf(given: string | undefined, name: string): string {
  if (given === undefined) return toId(name);
  if (isId(given)) return given;
  throw new UsageError(`"${given}" is not a valid workspace id`, ID_RULE);
}
