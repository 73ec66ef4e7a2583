import { titleId } from "../../documents/to-id.ts";
import { refused } from "../../folder/edit/entry-texts.ts";
import type { DraftState } from "../../page/draft-state.ts";
import type { PageNames } from "../../page/edited.ts";
import { summaryOf } from "../../page/entry-summary.ts";
import { entryOf } from "../../workspace/draft.ts";
import { type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import type { Project, Step } from "../../workspace/records.ts";
import { assertFree, freeName, takenIn } from "./new-entry.ts";

/** H70: a new experience of a project, with what its author has given, and with what is proposed of the rest. */
export function newPage(state: DraftState, projectId: string, body: JsonObject) {
  const project = state.rendering.projects.find(({ id }) => id === projectId);
  if (project === undefined)
    throw refused("the project is not there any more", "load the page again");
  const given = stepsIn(body).map(({ entry, layout }) => {
    const found = entryOf(state.draft, entry);
    if (found === undefined) throw refused(`there is no entry "${entry}"`, "choose another one");
    const { title } = summaryOf(state, found);
    return { entry, title, layout: layout || layoutOf(state, project, found.modelId) };
  });
  const title = textIn(body, "title") ?? given[0]?.title ?? "";
  const isTaken = takenIn(project.experiences.flatMap(({ id, key }) => [id, key]));
  const id = textIn(body, "id") ?? freeName(keyFrom(title), isTaken);
  const layouts = [
    ...project.steps.map(({ layoutName }) => layoutName),
    ...given.map(({ layout }) => layout),
  ];
  const names: PageNames = {
    ...{ id, title },
    free: isTaken(id) ? freeName(keyFrom(id), isTaken) : null,
    layouts: [...new Set(layouts)].sort(),
    steps: given.map(({ layout }) => ({ layout })),
  };
  return {
    names,
    /**
     * The stored project with it.
     *
     * @throws SvcError `edit-refused`
     */
    addedTo(record: JsonObject): JsonObject {
      if (given.length === 0) throw refused("the page shows nothing yet", "add a step");
      assertFree(id, isTaken, "a page");
      const stored = record.steps as unknown as readonly Step[];
      const names = project.steps.flatMap(({ id, key }) => [id, key]);
      const made: Step[] = [];
      const stepIds = given.map(({ entry, title: name, layout }) => {
        const isSame = (one: Step) => one.layoutContentId === entry && one.layoutName === layout;
        const there = [...stored, ...made].find(isSame);
        if (there !== undefined) return there.id;
        const key = freeName(keyFrom(name), takenIn([...names, ...made.map((one) => one.id)]));
        made.push({ id: key, key, name, layoutName: layout, layoutContentId: entry });
        return key;
      });
      const page = { id, key: id, name: title || id, stepIds };
      const experiences = [...(record.experiences as readonly JsonValue[]), page];
      return { ...record, steps: [...stored, ...made], experiences } as unknown as JsonObject;
    },
  };
}

/** The layout in which most entries of a model are shown, else the key of the model. */
function layoutOf({ draft, models }: DraftState, { steps }: Project, modelId: string): string {
  const counts = new Map<string, number>();
  for (const { layoutName, layoutContentId = "" } of steps) {
    if (draft.entries.get(layoutContentId)?.modelId !== modelId) continue;
    counts.set(layoutName, (counts.get(layoutName) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? models.get(modelId)?.key ?? "page";
}

/** I2: what is an id and a key. */
function keyFrom(title: string): string {
  const name = titleId(title, "page").slice(0, 100);
  return /^[a-z]/i.test(name) ? name : `page-${name}`;
}

function textIn(body: JsonObject, name: string): string | undefined {
  const value = ownMember(body, name);
  return typeof value === "string" ? value.trim() : undefined;
}

function stepsIn(body: JsonObject) {
  const steps = ownMember(body, "steps");
  const list = Array.isArray(steps) ? (steps as readonly JsonValue[]) : [];
  return list.map((one) => {
    const step = Object(one) as JsonObject;
    return { entry: textIn(step, "entry") ?? "", layout: textIn(step, "layout") };
  });
}
