import { isJsonObject, type JsonValue } from "../workspace/json.ts";
import { grouped, listed } from "../workspace/listed.ts";
import type { ConfigChange } from "./compare-configs.ts";

/** What changed of one record of a config. */
export type RecordChanges = readonly [ConfigChange, ...ConfigChange[]];

/** D7a: how the config of a project differs, as it is told. */
export interface ToldConfig {
  readonly projectId: string;
  /** Of its pages; empty: nothing. */
  readonly sentence: string;
  readonly others: readonly RecordChanges[];
}

export function toldConfigs(config: readonly ConfigChange[]): ToldConfig[] {
  const projects = Map.groupBy(config, ({ projectId }) => projectId);
  return Array.from(projects, ([projectId, changes]) => {
    const records = Map.groupBy(changes, ({ at }) => `${at.kind} ${at.id}`);
    return { projectId, ...told([...records.values()] as unknown as RecordChanges[]) };
  });
}

/**
 * Experiences that came, went, have another name, or show the steps of others: mostly those of collections,
 * each with a step of its own. What that does to steps is not told again.
 */
function told(records: readonly RecordChanges[]): Omit<ToldConfig, "projectId"> {
  const pages = records.filter(([{ at }]) => at.kind === "experience");
  const whole = (change: ConfigChange["change"]) =>
    pages.filter(([one]) => one.path === "" && one.change === change);
  const [came, went] = [whole("added"), whole("removed")];
  const renamed = pages.filter(
    (one) => one.some(isName) && one.every((change) => isName(change) || change.path === "/key"),
  );
  const own = new Set(
    [...came, ...went].flatMap(([{ before, after }]) => stepIds(after ?? before)),
  );
  const renamings = new Set(renamed.flat().map(replacement));
  const steps = records.filter(([first, ...more]) => {
    if (first.at.kind !== "step") return false;
    if (first.path === "") return own.has(first.at.id);
    return [first, ...more].every((one) => renamings.has(replacement(one)));
  });
  const moved = movedPages(pages, new Set(steps.map(([{ at }]) => at.id)));
  const parts = [
    namedPages(came, "new page:", "new pages:"),
    namedPages(went, "page removed:", "pages removed:"),
    namedPages(renamed, "page renamed:", "pages renamed:"),
    moved.length > 0
      ? `${grouped(moved.length)} list page${moved.length > 1 ? "s" : ""} moved`
      : "",
  ];
  const sentence = parts.filter((part) => part !== "").join("; ");
  const all = new Set([...came, ...went, ...renamed, ...steps, ...moved]);
  return {
    sentence: sentence.replace(/^./, (first) => first.toUpperCase()),
    others: records.filter((one) => !all.has(one)),
  };
}

/** Those of which only the steps changed, each of which came or went with its page, or is in another one now. */
function movedPages(
  pages: readonly RecordChanges[],
  own: ReadonlySet<JsonValue>,
): readonly RecordChanges[] {
  const sides = (side: "before" | "after") =>
    new Set(
      pages.flat().flatMap((one) => (one.path === "" ? stepIds(one[side]) : (one[side] ?? []))),
    );
  const [had, has] = [sides("before"), sides("after")];
  const isTold = (id: JsonValue | undefined) =>
    typeof id !== "string" || own.has(id) || (had.has(id) && has.has(id));
  return pages.filter((changes) =>
    changes.every(
      ({ path, before, after }) => path.startsWith("/stepIds") && isTold(before) && isTold(after),
    ),
  );
}

function stepIds(experience: JsonValue | undefined): readonly JsonValue[] {
  const ids = isJsonObject(experience) ? experience.stepIds : undefined;
  return Array.isArray(ids) ? ids : [];
}

function isName({ path }: ConfigChange): boolean {
  return path === "/name";
}

function replacement({ path, before, after }: ConfigChange): string {
  return JSON.stringify([path, before, after]);
}

/** "new pages: Ten days on the coast, A week in the hills"; of another name "Old → New". */
function namedPages(pages: readonly RecordChanges[], one: string, many: string): string {
  const names = pages.map((changes) => {
    const { before, after } = changes.find(isName) ?? {};
    const [{ at }] = changes;
    return before === undefined ? (at.name ?? at.key ?? at.id) : `${before} → ${after}`;
  });
  return names.length === 0 ? "" : `${names.length === 1 ? one : many} ${listed(names)}`;
}
