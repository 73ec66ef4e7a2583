import { checkedInParts } from "../documents/check-draft.ts";
import { ContentDocument } from "../documents/experience-content.ts";
import type { Rendering } from "../documents/rendering.ts";
import { hasLocalized, localizedModels } from "../fields/localized.ts";
import type { DraftRenderings } from "../server/draft-renderings.ts";
import type { PreviewedDrafts } from "../server/previewed-drafts.ts";
import { type Draft, entryIds, type WorkspaceRow } from "../workspace/draft.ts";
import { byUse, type Language, languageKey, languageOf } from "../workspace/language.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Hidden } from "../workspace/problem-catalogue.ts";
import type { Block, Entry, Model } from "../workspace/records.ts";
import { Work } from "../workspace/work.ts";
import { projectName } from "./spoken.ts";

/** How many answers about one state are kept. */
const REMEMBERED = 20;

type Answer = Buffer | string | undefined;

interface CheckedDraft {
  readonly problems: readonly Problem[];
  readonly reached: ReadonlySet<string>;
}

/** B1: a language with the projects whose documents are in it. */
export interface LanguageView {
  /** Null: the projects have none (B5). */
  readonly locale: string | null;
  readonly fallbackLocales: readonly string[];
  readonly projects: readonly { readonly id: string; readonly name: string }[];
}

export interface PageLanguage {
  readonly language: Language;
  readonly view: LanguageView;
}

/** A1, A4: whether and when an entry is published. */
export interface PublishingView {
  /** Why it is not, or the locales in which it is a draft (A7); null: nothing prevents that. */
  readonly hidden: Hidden | readonly string[] | null;
  /** RFC 3339. */
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
}

/** The languages of a draft, in order of the projects. */
class PageLanguages {
  readonly all: readonly PageLanguage[];
  /** Whether any value may differ by language, so that it is worth a word. */
  readonly isUsed: boolean;
  readonly #titles: readonly Language[];
  readonly #localized: ReadonlySet<string>;
  readonly #byProject = new Map<string, PageLanguage>();

  constructor({ workspace, projects, models, blocks }: Draft) {
    const groups = Map.groupBy(projects, (project) => languageKey(languageOf(project)));
    this.all = Array.from(groups.values(), (group) => {
      const [first] = group as [(typeof group)[number]];
      const { locale = null, fallbackLocales = [] } = first;
      const named = group.map((one) => ({ id: one.id, name: projectName(one, workspace) }));
      return { language: languageOf(first), view: { locale, fallbackLocales, projects: named } };
    });
    for (const one of this.all) {
      for (const { id } of one.view.projects) this.#byProject.set(id, one);
    }
    const own = this.all.map(({ language }) => language);
    this.#titles = byUse(own, projects);
    this.isUsed = hasLocalized({ models, blocks });
    this.#localized = localizedModels({ models, blocks });
  }

  /** H49: in the order in which titles are looked for. */
  titles(first?: Language): readonly Language[] {
    return first === undefined ? this.#titles : [first, ...this.#titles];
  }

  ofProject(projectId: string): PageLanguage | undefined {
    return this.#byProject.get(projectId);
  }

  /** Those in which an entry of a model may be served differently; none: it is the same in all. */
  ofModel(modelId: string): readonly PageLanguage[] {
    return this.#localized.has(modelId) ? this.all : [];
  }
}

/** One state of one workspace's draft, with what has been worked out about it so far. */
export class DraftState {
  readonly workspace: WorkspaceRow;
  readonly draft: Draft;
  readonly models: ReadonlyMap<string, Model>;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly languages: PageLanguages;
  /** A2: as previewed. */
  readonly rendering: Rendering;
  readonly #published: () => Rendering;
  /** P1. */
  readonly checked: Work<CheckedDraft> = new Work(() => this.#check());
  readonly #answers = new Map<string, Answer>();

  constructor(workspace: WorkspaceRow, renderings: DraftRenderings) {
    const rendering = renderings.of(workspace);
    this.#published = () => renderings.published(workspace);
    const { draft } = rendering;
    this.workspace = workspace;
    this.rendering = rendering;
    this.draft = draft;
    this.models = new Map(draft.models.map((model) => [model.id, model]));
    this.blocks = new Map(draft.blocks.map((block) => [block.id, block]));
    this.languages = new PageLanguages(draft);
  }

  /** An answer about this state, made once for those who ask again or look at it in parallel. */
  remembered<T extends Answer>(what: string, make: () => T): T {
    const known = this.#answers.get(what);
    if (known !== undefined) return known as T;
    const made = make();
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= REMEMBERED) this.#answers.delete(oldest);
    if (made !== undefined) this.#answers.set(what, made);
    return made;
  }

  /** A1: as it would be published. */
  get published(): Rendering {
    return this.#published();
  }

  /**
   * A1: why an entry is not published, or in which locales it is a draft (A7); null: it is published, as
   * far as the draft says.
   */
  hiddenBy(id: string): Hidden | readonly string[] | null {
    const { byId, inLocales } = this.rendering.hidden;
    const locales = inLocales.get(id);
    return byId.get(id) ?? (locales === undefined ? null : [...locales]);
  }

  /** A4: when an entry comes and goes, and whether it is published at the reading of the clock. */
  publishingOf({ id, publishAt, unpublishAt }: Entry): PublishingView {
    const times = { publishAt: publishAt ?? null, unpublishAt: unpublishAt ?? null };
    return { hidden: this.hiddenBy(id), ...times };
  }

  /** The ids of the entries that are not published in all projects, in order. */
  get hidden(): readonly string[] {
    const { byId, inLocales } = this.rendering.hidden;
    return [...byId.keys(), ...inLocales.keys()].sort();
  }

  get problems(): readonly Problem[] {
    return this.checked.made.problems;
  }

  /** The ids of the entries that experiences show. */
  get reached(): ReadonlySet<string> {
    return this.checked.made.reached;
  }

  /** The ids of the entries that no experience shows although they are published, in order. */
  get unreached(): readonly string[] {
    const { reached } = this;
    const { byId } = this.rendering.hidden;
    return entryIds(this.draft).filter((id) => !byId.has(id) && !reached.has(id));
  }

  *#check(): Generator<void, CheckedDraft> {
    const reached = new Set<string>();
    const problems = yield* checkedInParts(this.published, {
      onDocument(document) {
        const shown = document instanceof ContentDocument ? document.entries() : [];
        for (const { head } of shown) reached.add(head.id);
      },
    });
    return { problems, reached };
  }
}

export function problemsByEntry({ problems }: DraftState): ReadonlyMap<string, Problem[]> {
  const ofEntries = problems.filter(({ at }) => at.kind === "entry");
  return Map.groupBy(ofEntries, ({ at }) => at.id);
}

/**
 * The last state of each workspace that was asked for. Use it within one transaction. Where a
 * pointer leads depends on other workspaces too, so a change of one makes the states of all anew.
 */
export class DraftStates {
  readonly #drafts: PreviewedDrafts;
  readonly #renderings: DraftRenderings;
  readonly #states = new Map<number, DraftState>();
  #revisions = "";
  #later: { readonly at: number; readonly states: DraftStates } | undefined;

  constructor(drafts: PreviewedDrafts, renderings: DraftRenderings) {
    this.#drafts = drafts;
    this.#renderings = renderings;
  }

  all(): DraftState[] {
    const workspaces = this.#drafts.workspaces();
    const revisions = workspaces.map(({ number, revision }) => `${number} ${revision}`).join();
    if (revisions !== this.#revisions) this.#states.clear();
    this.#revisions = revisions;
    return workspaces.map((workspace) => {
      const known = this.#states.get(workspace.number);
      // Entries become due with time.
      const isCurrent = known?.rendering === this.#renderings.of(workspace);
      const state = isCurrent ? known : new DraftState(workspace, this.#renderings);
      this.#states.set(workspace.number, state);
      return state;
    });
  }

  of(workspaceId: string): DraftState | undefined {
    return this.all().find(({ workspace }) => workspace.id === workspaceId);
  }

  /**
   * H56: those at another reading of the clock, of which the last asked for are kept.
   *
   * @param time RFC 3339; what is none: now
   */
  at(time: string): DraftStates {
    const at = Date.parse(time);
    if (Number.isNaN(at)) return this;
    if (this.#later?.at !== at) {
      this.#later = { at, states: new DraftStates(this.#drafts, this.#renderings.at(at)) };
    }
    return this.#later.states;
  }
}
