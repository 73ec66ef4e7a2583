import { isId, toId } from "../../workspace/ids.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import type { Experience, Project, Step } from "../../workspace/records.ts";
import { NameMap, toKey } from "./name-map.ts";

/** An entry that is the content of an experience. */
export interface Root {
  readonly id: string;
  readonly layoutName: string;
  /** Undefined: the entry's id. */
  readonly name: string | undefined;
  /** What the experience's id is made from. */
  readonly wantedId: string;
  /** A1: what a draft says must not be in the names and ids of steps and experiences. */
  readonly isDraft: boolean;
}

/** The ids of experiences that an import keeps, and of those that it removes. */
interface EarlierExperiences {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

/** What `projectOf` needs. */
interface ProjectContext {
  /** The project as the last import, or its users, have left it. */
  readonly before: Project | undefined;
  readonly removesExperiences: boolean;
  /** The entry as a root, if it is imported. */
  readonly rootOf: (entryId: string) => Root | undefined;
  /** Called when an experience cannot have the id of its address. */
  readonly onChange: (from: string, to: string) => void;
}

/**
 * Generates the project: for each root entry, an experience with one step. An experience that was
 * there before stays as it is, with its id, whatever its entry is now (X2).
 */
export function projectOf(
  id: string,
  roots: readonly Root[],
  context: ProjectContext,
): { project: Project; earlier: EarlierExperiences } {
  const { before, removesExperiences, rootOf } = context;
  const { steps = [], experiences = [] } = before ?? {};
  const stepsById = new Map(steps.map((step) => [step.id, step]));
  const rootIds = new Set(roots.map((root) => root.id));
  const isRoot = ({ stepIds }: Experience) =>
    stepIds.length === 1 && rootIds.has(stepsById.get(stepIds[0] ?? "")?.layoutContentId ?? "");
  const lost = experiences.filter((experience) => !isRoot(experience)).map(idOf);
  const kept = experiences.filter((one) => isRoot(one) || !removesExperiences);
  const keptStepIds = new Set(kept.flatMap(({ stepIds }) => stepIds));
  const keptSteps = steps
    .filter((step) => keptStepIds.has(step.id))
    .map((step) => renewed(step, rootOf(step.layoutContentId ?? "")));
  const shown = new Set(keptSteps.map(({ layoutContentId }) => layoutContentId));
  const names = new Names([...keptSteps, ...kept], context.onChange);
  const added = roots
    .filter((root) => !shown.has(root.id) && !root.isDraft)
    .sort((a, b) => byCodeUnit(a.id, b.id))
    // A converted id never takes the place of a valid one.
    .sort((a, b) => Number(isId(b.wantedId)) - Number(isId(a.wantedId)))
    .map((root): Step => {
      const { id: stepId, key } = names.of(root);
      const { layoutName, name = root.id } = root;
      return { id: stepId, key, name, layoutName, layoutContentId: root.id };
    });
  const keptNames = new Map(keptSteps.map((step) => [step.id, step.name]));
  return {
    project: {
      ...(before?.fields !== undefined && { fields: before.fields }),
      id,
      name: before?.name ?? id,
      steps: [...keptSteps, ...added].sort(byId),
      experiences: [
        ...kept.map((one) => ({
          ...one,
          name:
            one.stepIds.length === 1 ? (keptNames.get(one.stepIds[0] ?? "") ?? one.name) : one.name,
        })),
        ...added.map(({ id, key, name }) => ({ id, key, name, stepIds: [id] })),
      ].sort(byId),
    },
    earlier: { kept: removesExperiences ? [] : lost, removed: removesExperiences ? lost : [] },
  };
}

/** A step with the name and the layout that its entry has now. */
function renewed(step: Step, root: Root | undefined): Step {
  if (root === undefined || root.isDraft) return step;
  return { ...step, name: root.name ?? root.id, layoutName: root.layoutName };
}

const idOf = ({ id }: { readonly id: string }) => id;
const byId = (a: { readonly id: string }, b: { readonly id: string }) => byCodeUnit(a.id, b.id);

/** Ids and keys of new experiences and their steps, beside those that are taken. */
class Names {
  readonly #ids: NameMap;
  readonly #keys: NameMap;
  readonly #onChange: (from: string, to: string) => void;

  constructor(
    taken: readonly { readonly id: string; readonly key: string }[],
    onChange: (from: string, to: string) => void,
  ) {
    this.#onChange = onChange;
    // Experience ids become file names.
    this.#ids = new NameMap(toId, { ignoreCase: true, taken: taken.map(idOf) });
    this.#keys = new NameMap(toKey("entry_"), { taken: taken.map(({ key }) => key) });
  }

  of({ wantedId }: Root): { id: string; key: string } {
    const id = this.#ids.another(wantedId);
    if (id !== toId(wantedId)) this.#onChange(wantedId, id);
    return { id, key: this.#keys.another(id) };
  }
}
