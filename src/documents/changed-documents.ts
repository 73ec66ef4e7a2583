import { hash, randomUUID } from "node:crypto";
import { byCodeUnit } from "../workspace/json.ts";
import { Memory } from "../workspace/memory.ts";
import { Work } from "../workspace/work.ts";
import type { RenderedEntry } from "./entry.ts";
import { projectContents } from "./experience-content.ts";
import { heldText } from "./held-bytes.ts";
import { projectConfig } from "./project-config.ts";
import type { Rendering } from "./rendering.ts";
import { schemaDocument } from "./schema-document.ts";

/** The previewed documents of a project by experience, or by `/project` and `/schema`: what makes their bytes. */
type ShownDocuments = ReadonlyMap<string, readonly (RenderedEntry | string)[]>;

/** H51: what has changed of a project's previewed documents. */
export interface DocumentChanges {
  /** The state of the documents: another one when the bytes of any differ. */
  readonly state: string;
  /** Since the state that was named, ids by code unit; null: that is not known. */
  readonly changed: ReturnType<typeof changedDocuments> | null;
  /** The reading of the clock from which they may be others; null: none. */
  readonly until: number | null;
}

/** The documents of projects in their last states. */
export class KnownDocuments {
  readonly #known = new Map<string, readonly { state: string; shown: ShownDocuments }[]>();
  readonly #shown = new Memory<Map<string, Work<ShownDocuments>>>();

  /** What `changes` compares. */
  shown(rendering: Rendering, projectId: string): Work<ShownDocuments> {
    const known = this.#shown.of([rendering], () => new Map());
    const shown = known.get(projectId) ?? new Work(() => shownDocuments(rendering, projectId));
    known.set(projectId, shown);
    return shown;
  }

  changes(rendering: Rendering, projectId: string, since: string): DocumentChanges {
    const shown = this.shown(rendering, projectId).made;
    const known = this.#known.get(projectId) ?? [];
    const last = known.at(-1);
    const { experiences, project, schema } = changedDocuments(last?.shown ?? shown, shown);
    const isSame = last !== undefined && experiences.length === 0 && !project && !schema;
    const state = isSame ? last.state : randomUUID();
    // Of several streams some still know an earlier one.
    const earlier = isSame ? known.slice(0, -1) : known.slice(-3);
    this.#known.set(projectId, [...earlier, { state, shown }]);
    const before = known.find((one) => one.state === since)?.shown;
    const changed = before === undefined ? null : changedDocuments(before, shown);
    const { until } = rendering.span;
    return { state, changed, until: Number.isFinite(until) ? until : null };
  }
}

function* shownDocuments(rendering: Rendering, projectId: string): Generator<void, ShownDocuments> {
  const project = rendering.projects.find(({ id }) => id === projectId);
  const shown = new Map<string, readonly (RenderedEntry | string)[]>();
  if (project === undefined) return shown;
  for (const { address, shown: entries } of projectContents(rendering, project)) {
    shown.set(address.experienceId, [...entries.content, "references", ...entries.references]);
    yield;
  }
  const schema = schemaDocument(rendering, project, "preview").bytes(null);
  shown.set("/schema", [hash("sha256", schema)]);
  return shown.set("/project", [hash("sha256", projectConfig(rendering, project).bytes(null))]);
}

function changedDocuments(before: ShownDocuments, after: ShownDocuments) {
  /** Whether the text of an entry that was rendered again is the same. */
  const same = new Map<RenderedEntry, boolean>();
  const isSame = (one: RenderedEntry | string, other: RenderedEntry | string | undefined) => {
    if (one === other || typeof one !== "object" || typeof other !== "object") return one === other;
    if (one.head.id !== other.head.id) return false;
    if (!same.has(one)) same.set(one, heldText(one) === heldText(other));
    return same.get(one);
  };
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((id) => {
    const [was = [], is = []] = [before.get(id), after.get(id)];
    return was.length !== is.length || !was.every((one, at) => isSame(one, is[at]));
  });
  return {
    experiences: changed.filter((id) => !id.startsWith("/")).sort(byCodeUnit),
    project: changed.includes("/project"),
    schema: changed.includes("/schema"),
  };
}
