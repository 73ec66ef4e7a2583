import type { Project } from "../../workspace/records.ts";
import type { SourceItem } from "../../workspace/source.ts";
import type { Fate } from "../format.ts";
import type { FoundDocument } from "./found.ts";
import type { ResolvedTypes } from "./resolved-types.ts";
import { kindsText, type TypeSurvey } from "./type-survey.ts";

/** A record of an export that is not imported. */
export interface ExcludedRecord {
  readonly id: string;
  readonly reason: string;
}

export interface Assets extends Iterable<SourceItem> {
  /** Whether one has a title or a description (V4c). */
  readonly haveTexts?: boolean;
  /** What the export calls an asset, by its id. */
  readonly sources: ReadonlyMap<string, string>;
  /** Those that are not imported. */
  readonly excluded?: readonly ExcludedRecord[];
}

/** Of a record with unpublished edits (X21). */
export const WAS_CHANGED = "what was published: it was changed since";

interface FatesContext {
  readonly survey: TypeSurvey;
  readonly types: ResolvedTypes;
  readonly projects: readonly Project[];
  readonly documents: Iterable<FoundDocument>;
  readonly excluded: Iterable<ExcludedRecord>;
  readonly assets: Assets;
}

/** X9: what became of each type, field, document and asset of an export. */
export function* fates(context: FatesContext): Generator<Fate> {
  const { survey, types, projects, documents, excluded, assets } = context;
  for (const [kind, known] of [
    ["model", survey.models],
    ["block", survey.blocks],
  ] as const) {
    for (const [name, fields] of known) {
      const type = kind === "model" ? types.model(name) : types.block(name);
      yield { kind: "type", id: name, became: { id: type.id, type: kind }, lost: [] };
      for (const [member, field] of fields) {
        const { key, ...definition } = type.fields.get(member)?.definition ?? { key: "", type: "" };
        yield {
          kind: "field",
          id: `${name}.${member}`,
          became: {
            id: key,
            type: definition.repeatable ? `${definition.type}[]` : definition.type,
            values: field.values,
          },
          lost: field.kinds.size > 1 ? [`one kind of values: ${kindsText(field)}`] : [],
        };
      }
    }
  }
  const experiences = experiencesOf(projects);
  for (const { id, source, type, draft, changed } of documents) {
    const experience = experiences.get(id);
    const more = { ...(draft && { draft }), ...(experience !== undefined && { experience }) };
    const lost = changed ? [WAS_CHANGED] : [];
    yield { kind: "entry", id: source, became: { id, type, ...more }, lost };
  }
  for (const { id, reason } of excluded) yield { kind: "entry", id, lost: [reason] };
  for (const item of assets) {
    if (item.kind !== "assets") continue;
    const { id } = item.record;
    yield { kind: "asset", id: assets.sources.get(id) ?? id, became: { id }, lost: [] };
  }
  for (const { id, reason } of assets.excluded ?? []) yield { kind: "asset", id, lost: [reason] };
}

/** The experience that shows an entry by a step, by the entry's id. */
function experiencesOf(projects: readonly Project[]): ReadonlyMap<string, string> {
  const shown = projects.flatMap(({ steps, experiences }) => {
    const entries = new Map(steps.map(({ id, layoutContentId }) => [id, layoutContentId]));
    return experiences.flatMap(({ id, stepIds }) =>
      stepIds.map((stepId) => [entries.get(stepId) ?? "", id] as const),
    );
  });
  return new Map(shown);
}
