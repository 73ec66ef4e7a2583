import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Notes } from "../formats/notes.ts";
import { isLater, timeOf } from "../formats/publishing-times.ts";
import { type ExportFiles, linkIn, type Resource } from "./export-files.ts";

interface Action {
  readonly action: JsonValue | undefined;
  readonly at: JsonValue | undefined;
}

/** X3i: what is scheduled for the records of an export. */
export class ScheduledActions {
  /** Those that are to come, by the id of their entry or asset, the first one first. */
  readonly #pending = new Map<string, Action[]>();

  /** @param isImported whether there is an entry or an asset with an id. */
  constructor(
    { scheduledActions, environmentId: own }: ExportFiles,
    isImported: Readonly<Record<"Entry" | "Asset", (id: string) => boolean>>,
    notes: Notes,
  ) {
    for (const one of scheduledActions) {
      const { sys, entity, environment, action, scheduledFor } = isJsonObject(one) ? one : {};
      const status = isJsonObject(sys) ? sys.status : undefined;
      const { linkType, id } = linkIn(entity);
      const { id: environmentId = own } = linkIn(environment);
      const leaveOut = (which: string) => notes.leaveOut(`scheduled actions ${which}`);
      if (status !== undefined && status !== "scheduled") leaveOut("that are done or canceled");
      else if (own !== undefined && environmentId !== own) leaveOut("of other environments");
      else if (typeof id !== "string" || (linkType !== "Entry" && linkType !== "Asset"))
        leaveOut("of releases");
      else if (!isImported[linkType](id)) leaveOut("of records that are not imported");
      else {
        if (linkType === "Asset") leaveOut("of assets");
        const at = isJsonObject(scheduledFor) ? scheduledFor.datetime : scheduledFor;
        const known = this.#pending.get(`${linkType} ${id}`) ?? [];
        known.push({ action, at });
        this.#pending.set(`${linkType} ${id}`, known);
      }
    }
    for (const known of this.#pending.values()) {
      known.sort((a, b) => Date.parse(String(a.at)) - Date.parse(String(b.at)));
    }
  }

  /** Whether an asset that is not published will be. */
  publishes(assetId: string): boolean {
    return (this.#pending.get(`Asset ${assetId}`) ?? []).some(({ action }) => action === "publish");
  }

  /**
   * When an entry is published and until when.
   *
   * @param isDraft whether it is not published; else a publish is about its edits.
   */
  of({ sys }: Resource, isDraft: boolean, lost: Notes): { from: unknown; until: unknown } {
    const all = this.#pending.get(`Entry ${sys.id}`) ?? [];
    const from = isDraft ? all.find(({ action }) => action === "publish")?.at : undefined;
    const start = timeOf(from);
    const isAfter = (at: unknown) => {
      const time = timeOf(at);
      return start === undefined || time === undefined || isLater(time, start);
    };
    const until = all.find(({ action, at }) => action === "unpublish" && isAfter(at))?.at;
    const taken = [from, until].filter((at) => at !== undefined).length;
    lost.leaveOut("scheduled actions of entries beside their first ones", all.length - taken);
    return { from, until };
  }
}
