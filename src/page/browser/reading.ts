import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ShownProblem as Problem } from "../dead-values.ts";
import type { LanguageView } from "../draft-state.ts";
import type { PointerTarget } from "../entry-summary.ts";
import type { OpenedEntry } from "../experience-view.ts";
import type { FieldView } from "../field-views.ts";
import type { FileView } from "../file-view.ts";
import { useEvents } from "./listening.ts";

/** H42, H63: what changes an entry; both are undefined where nothing is changed here. */
export interface Editing {
  /** Changes a field. */
  readonly edit?: (field: FieldView) => ComponentChildren;
  /** Changes all fields of the entry, or of a block in it, whose path has `/data` at its end. */
  readonly editAll?: (
    path: string,
    name: string,
    fields: readonly FieldView[],
  ) => ComponentChildren;
}

/** What stands beside the fields of a record. */
export interface Beside extends Editing {
  readonly problems: readonly Problem[];
  /** To which its localized fields refer. */
  readonly languages: readonly LanguageView[];
  /** The project in whose language it is read, and what it refers to opens. */
  readonly project?: string | undefined;
  /** The id of what is read. */
  readonly entry?: string;
  /** H25e: of an experience, by the id of what stands open. */
  readonly opened?: ReadonlyMap<string, OpenedEntry> | undefined;
  /** X19: what the links in the record's Markdown lead to. */
  readonly links?: ReadonlyMap<string, { file?: FileView; target?: PointerTarget }>;
}

export const Reading = createContext<Beside>({ problems: [], languages: [] });

export const useReading = () => useContext(Reading);

/** H25: whether names, types and empty fields are shown. */
export const SHOW_FIELDS = "show fields";
export const useShowsFields = () => useChoice(SHOW_FIELDS) !== "";

/** X19: blocks that say where a link of the text leads. */
export function linksIn(fields: readonly FieldView[]): NonNullable<Beside["links"]> {
  const blocks = fields.flatMap(({ values }) => values.flatMap(({ block }) => block ?? []));
  return new Map(
    blocks.flatMap(({ fields: members }) => {
      const first = (key: string) => members.find((one) => one.key === key)?.values[0];
      const href = first("href")?.value;
      const { file, target } = { ...first("asset"), ...first("reference") };
      const found = { ...(file && { file }), ...(target && { target }) };
      return typeof href === "string" && (file || target) ? [[href, found] as const] : [];
    }),
  );
}

const CHANGED = "svc-choice";

/** What a reader chose, kept in this browser, for each workspace. */
export function chosen(name: string): string {
  return localStorage.getItem(`svc ${name}`) ?? "";
}

export function choose(name: string, value: string) {
  localStorage.setItem(`svc ${name}`, value);
  dispatchEvent(new Event(CHANGED));
}

/** The same in a component, which is rendered again when it changes. */
function useChoice(name: string): string {
  useEvents(CHANGED);
  return chosen(name);
}
