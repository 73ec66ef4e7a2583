import { generateTypes } from "../../codegen/generate-types.ts";
import { hasText, replaceFile } from "../../files/replace-file.ts";
import type { DraftRenderings } from "../../server/draft-renderings.ts";
import type { DraftAnswers } from "../../server/page/draft-data.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { DescribedProblem } from "../../workspace/problem-messages.ts";
import { type Severities, withSeverities } from "../../workspace/severity.ts";
import { draftProblemsJson, type ListOptions, problemCounts } from "../output/findings.ts";
import { formattedProblems } from "../output/formats.ts";
import type { Output } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import type { Results } from "../results.ts";
import { draftSchema } from "../schema-source.ts";

/** The draft of the folder that is followed, as the server has it. */
interface ShownDraft {
  readonly drafts: PreviewedDrafts;
  readonly renderings: DraftRenderings;
  /** Answers beside the server (H12). */
  readonly thread: DraftAnswers;
  readonly workspaceId: string;
}

export interface TypesFile {
  readonly file: string;
  /** Needed if the workspace has several. */
  readonly project: string | undefined;
  readonly constants: boolean;
}

/**
 * H19: prints the problems of a draft, and writes its types, whenever they have changed. The problems
 * are printed also when a failure is over, which nothing else would say.
 */
export class DraftReports {
  readonly #output: Output<Results["dev"]>;
  readonly #list: ListOptions;
  readonly #types: TypesFile | undefined;
  readonly #severities: Severities | undefined;
  /** The problems that were printed, as JSON; undefined: they are printed in any case. */
  #printed: string | undefined;
  /** Whether a failure of the folder or the store was reported since the last success. */
  #hasFailed = false;
  /** The failures that were reported, by what failed. */
  readonly #failures = new Map<string, string>();
  #work = Promise.resolve();
  #isWaiting = false;

  constructor(
    output: Output<Results["dev"]>,
    list: ListOptions,
    types: TypesFile | undefined,
    severities: Severities | undefined,
  ) {
    this.#output = output;
    this.#list = list;
    this.#types = types;
    this.#severities = severities;
  }

  /** Reports on the draft as it is when the report before this one has ended. */
  report(draft: ShownDraft): void {
    if (this.#hasFailed) this.#printed = undefined;
    this.#hasFailed = false;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#work = this.#work.then(async () => {
      this.#isWaiting = false;
      await this.#attempt("types", () => this.#writeTypes(draft));
      await this.#attempt("problems", () => this.#printProblems(draft));
    });
  }

  /** To be called when there is no draft to report on, and the reason has been printed. */
  failed(): void {
    this.#hasFailed = true;
  }

  /** Reports a failure once, until it is another one. */
  async #attempt(what: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
      if (this.#failures.delete(what) && what === "types") this.#printed = undefined;
    } catch (error) {
      const { message } = error as Error;
      const isStopping = error instanceof SvcError && error.code === "preview-stopped";
      if (isStopping || this.#failures.get(what) === message) return;
      this.#failures.set(what, message);
      if (what === "problems") this.#printed = undefined;
      reportError(error, { json: this.#output.json, debug: false });
    }
  }

  #writeTypes({ drafts, renderings, workspaceId }: ShownDraft): void {
    if (this.#types === undefined) return;
    const { file, project, constants } = this.#types;
    const schema = drafts.read(() => {
      const row = drafts.workspaces().find(({ id }) => id === workspaceId);
      return row && draftSchema(renderings.of(row), project);
    });
    // The workspace has been removed since.
    if (schema === undefined) return;
    const text = generateTypes(schema, { constants });
    if (hasText(file, text)) return;
    replaceFile(file, text);
    this.#output.result({ file, written: true }, `wrote ${file}`);
  }

  async #printProblems({ thread, workspaceId }: ShownDraft): Promise<void> {
    const query = new URLSearchParams({ workspace: workspaceId }).toString();
    const answer = await thread.answer("problems", query, new AbortController().signal);
    // Undefined: the workspace has been removed since.
    if (answer === undefined || answer === this.#printed) return;
    const isFirst = this.#printed === undefined;
    this.#printed = answer;
    const found: { problems: readonly DescribedProblem[] } = JSON.parse(answer);
    const problems = withSeverities(found.problems, this.#severities);
    this.#output.result(
      () => draftProblemsJson(problems, this.#list),
      () => {
        const lines = formattedProblems("text", problems, this.#list, process.stdout);
        const counts = problemCounts(problems);
        return [...lines, isFirst ? counts : `the problems have changed: ${counts}`];
      },
    );
  }
}
