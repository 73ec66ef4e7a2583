import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Notes } from "../formats/notes.ts";
import { isLater, timeOf } from "../formats/publishing-times.ts";
import type { Resource } from "./export-files.ts";

interface Action {
  readonly action: JsonValue | undefined;
  readonly environment: string | undefined;
  readonly at: JsonValue | undefined;
}

/** X3i: what is scheduled for the records of an export. */
export class ScheduledActions {
  /** Those that are not done or cancelled, by the id of their entry or asset, the first one first. */
  readonly #pending = new Map<string, Action[]>();

  constructor(actions: readonly JsonValue[], notes: Notes) {
    for (const one of actions) {
      const { sys, entity, environment, action, scheduledFor } = isJsonObject(one) ? one : {};
      const status = isJsonObject(sys) ? sys.status : undefined;
      const { linkType, id } = linkIn(entity);
      if (status !== undefined && status !== "scheduled") continue;
      if (typeof id !== "string" || (linkType !== "Entry" && linkType !== "Asset")) {
        notes.leaveOut("scheduled actions of releases");
        continue;
      }
      if (linkType === "Asset") notes.leaveOut("scheduled actions of assets");
      const { id: environmentId } = linkIn(environment);
      const at = isJsonObject(scheduledFor) ? scheduledFor.datetime : scheduledFor;
      const known = this.#pending.get(`${linkType} ${id}`) ?? [];
      const named = typeof environmentId === "string" ? environmentId : undefined;
      known.push({ action, environment: named, at });
      this.#pending.set(`${linkType} ${id}`, known);
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
    const { id: environment } = linkIn(sys.environment);
    const all = (this.#pending.get(`Entry ${sys.id}`) ?? []).filter(
      (one) =>
        one.environment === undefined ||
        environment === undefined ||
        one.environment === environment,
    );
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

function linkIn(link: JsonValue | undefined): { linkType?: JsonValue; id?: JsonValue } {
  const sys = isJsonObject(link) ? link.sys : undefined;
  return isJsonObject(sys) ? sys : {};
}
