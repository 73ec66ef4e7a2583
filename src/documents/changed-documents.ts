import { hash } from "node:crypto";
import { byCodeUnit } from "../workspace/json.ts";
import type { Surface } from "./document.ts";
import type { RenderedEntry } from "./entry.ts";
import { projectContents } from "./experience-content.ts";
import { heldText } from "./held-bytes.ts";
import { projectConfig } from "./project-config.ts";
import type { ShownEntries } from "./references.ts";
import type { Rendering } from "./rendering.ts";
import { schemaDocument } from "./schema-document.ts";

/** The documents of a project in one state of its draft, by what makes their bytes. */
export interface ShownDocuments {
  /** SHA-256. */
  readonly config: string;
  readonly schema: string;
  /** By experience; those without content have no document (E6). */
  readonly contents: ReadonlyMap<string, Pick<ShownEntries, "content" | "references">>;
}

/** The documents that differ, also as there is one in only one of two states. */
export interface ChangedDocuments {
  /** Ids by code unit. */
  readonly experiences: readonly string[];
  readonly project: boolean;
  readonly schema: boolean;
}

/** Undefined: there is no such project. */
export function shownDocuments(
  rendering: Rendering,
  projectId: string,
  surface: Surface,
): ShownDocuments | undefined {
  const project = rendering.projects.find(({ id }) => id === projectId);
  if (project === undefined) return undefined;
  const contents = Array.from(projectContents(rendering, project), ({ address, shown }) => {
    const { content, references } = shown;
    return [address.experienceId, { content, references }] as const;
  });
  return {
    config: hash("sha256", projectConfig(rendering, project).bytes(null)),
    schema: hash("sha256", schemaDocument(rendering, project, surface).bytes(null)),
    contents: new Map(contents),
  };
}

/** H51: the documents of a project whose bytes differ. Undefined: there are none. */
export function changedDocuments(
  before: ShownDocuments | undefined,
  after: ShownDocuments | undefined,
): ChangedDocuments {
  const [was, is] = [before?.contents, after?.contents];
  /** Whether entries that were rendered again have the same text. */
  const known = new Map<RenderedEntry, boolean>();
  const isSame = (one: RenderedEntry, other: RenderedEntry | undefined): boolean => {
    if (one === other || other?.head.id !== one.head.id) return one === other;
    const same = known.get(one) ?? (one.size === other.size && heldText(one) === heldText(other));
    known.set(one, same);
    return same;
  };
  const areSame = (some: readonly RenderedEntry[] = [], others: readonly RenderedEntry[] = []) =>
    some.length === others.length && some.every((one, at) => isSame(one, others[at]));
  const ids = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  const experiences = [...ids].filter((id) => {
    const [old, now] = [was?.get(id), is?.get(id)];
    return !areSame(old?.content, now?.content) || !areSame(old?.references, now?.references);
  });
  return {
    experiences: experiences.sort(byCodeUnit),
    project: before?.config !== after?.config,
    schema: before?.schema !== after?.schema,
  };
}
