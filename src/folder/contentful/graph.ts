import type { Model } from "../../workspace/records.ts";
import { LinkGraph, NumberColumn } from "../formats/link-graph.ts";
import { hasPointers } from "../formats/pointers.ts";
import type { Survey } from "./survey.ts";

/** The references of fields that still have pointers after relaxing: `json` has none. */
export function graphOf(survey: Survey, models: readonly Model[]): LinkGraph {
  const references = new Set(
    models.flatMap(({ id, fields }) => fields.filter(hasPointers).map(({ key }) => `${id} ${key}`)),
  );
  const isReference = survey.fields.map((name) => references.has(name));
  const { from, to, through } = survey;
  const size = survey.entries.ids.length;
  if (isReference.every((one) => one)) return new LinkGraph(size, from, to);
  const kept = { from: new NumberColumn(), to: new NumberColumn() };
  for (let at = 0; at < from.length; at += 1) {
    if (!isReference[through.at(at)]) continue;
    kept.from.push(from.at(at));
    kept.to.push(to.at(at));
  }
  return new LinkGraph(size, kept.from, kept.to);
}
