import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { Block, Feature, Model, Project, Step } from "../../src/workspace/records.ts";

/** The model of pages, with a field of content blocks. */
export function pageModel(body: FieldDefinition): Model {
  return {
    id: "m-page",
    key: "page",
    name: "Page",
    fields: [
      { key: "title", type: "text" },
      { key: "picture", type: "asset" },
      { key: "html", type: "html-asset" },
      body,
      { key: "next", type: "reference" },
    ],
  };
}

export const NOTE: Block = {
  id: "b",
  key: "note",
  name: "Note",
  fields: [{ key: "text", type: "text" }],
};
export const FLAG: Feature = { id: "f", key: "layout", name: "Layout", type: "text", variants: [] };
export const STEP: Step = {
  id: "s",
  key: "start",
  name: "Start",
  layoutName: "P",
  layoutContentId: "home",
};
export const TOUR = { id: "x", key: "tour", name: "Tour", stepIds: ["s"] };
export const PROJECT: Project = { id: "p", name: "P", steps: [STEP], experiences: [TOUR] };
