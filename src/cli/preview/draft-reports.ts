import { generateTypes } from "../../codegen/generate-types.ts";
import type { TypesSource } from "../../codegen/read-schema.ts";
import { hasText, replaceFile } from "../../files/replace-file.ts";
import type { ProblemGroup } from "../../page/problem-list.ts";
import type { DraftOwner } from "../../server/draft-owner.ts";
import { SvcError } from "../../workspace/errors.ts";
import type { FilePlace, PlacedProblem } from "../../workspace/problem.ts";
import type { DescribedProblem } from "../../workspace/problem-messages.ts";
import { draftProblemsJson, type ListOptions, problemCounts } from "../output/findings.ts";
import { formattedProblems } from "../output/formats.ts";
import type { Output } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import type { Results } from "../results.ts";
import { namedProjects } from "../schema-source.ts";

/** The draft of the folder that is followed. */
interface ShownDraft {
  readonly owner: DraftOwner;
  readonly workspaceId: string;
}

interface TypesFile {
  readonly file: string;
  /** T11: default: all. */
  readonly project: string | undefined;
  readonly constants: boolean;
  readonly experienceIds: boolean;
}

export interface DraftReports {
  /** Reports on the draft as it is when the report before this one has ended. */
  readonly report: (draft: ShownDraft) => void;
  /** To be called when there is no draft to report on, and the reason has been printed. */
  readonly failed: () => void;
}

/** How many places of a code are looked for: more than are printed, of errors and warnings. */
const PLACED = 1000;

async function asked(
  { owner, workspaceId }: ShownDraft,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const query = new URLSearchParams({ workspace: workspaceId, ...more }).toString();
  const answer = await owner.answer(name, query);
  return answer === undefined ? undefined : Buffer.from(answer).toString();
}

function placesIn(groups: readonly ProblemGroup[]): ReadonlyMap<string, FilePlace> {
  const all = groups.flatMap(({ problems }) => problems);
  return new Map(
    all.flatMap((one) => {
      const { href: _, ...place } = one.place ?? { file: "" };
      return one.place === undefined ? [] : [[keyOf(one), place]];
    }),
  );
}

const keyOf = ({ code, at }: PlacedProblem) => JSON.stringify([code, at.kind, at.id, at.path]);

/**
 * H19a: prints the problems of a draft, and writes its types, whenever they have changed. The problems
 * are printed also when a failure is over, which nothing else would say.
 */
export function draftReports(
  output: Output<Results["dev"]>,
  list: ListOptions,
  types: TypesFile | undefined,
): DraftReports {
  /** The problems that were printed, as JSON; undefined: they are printed in any case. */
  let printed: string | undefined;
  /** Whether a failure of the folder was reported since the last success. */
  let hasFailed = false;
  /** The failures that were reported, by what failed. */
  const failures = new Map<string, string>();
  let work = Promise.resolve();
  let isWaiting = false;

  /** Reports a failure once, until it is another one. */
  async function attempt(what: string, run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
      if (failures.delete(what) && what === "types") printed = undefined;
    } catch (error) {
      const { message } = error as Error;
      const isStopping = error instanceof SvcError && error.code === "preview-stopped";
      if (isStopping || failures.get(what) === message) return;
      failures.set(what, message);
      if (what === "problems") printed = undefined;
      reportError(error, { json: output.json, debug: false });
    }
  }

  async function writeTypes(draft: ShownDraft): Promise<void> {
    if (types === undefined) return;
    const { file, constants, experienceIds } = types;
    const workspaces = await draft.owner.workspaces();
    const workspace = workspaces.find(({ id }) => id === draft.workspaceId);
    // It has been removed since.
    if (workspace === undefined) return;
    const read = async (kind: "schema" | "project", project: string) =>
      JSON.parse((await asked(draft, "document", { kind, project })) ?? "null");
    const sources: TypesSource[] = [];
    for (const project of namedProjects(workspace.projectIds, types.project)) {
      const config = experienceIds ? await read("project", project) : undefined;
      sources.push({ document: await read("schema", project), config });
    }
    const text = generateTypes(sources, { constants });
    if (hasText(file, text)) return;
    replaceFile(file, text);
    output.result({ file, written: true }, `wrote ${file}`);
  }

  async function printProblems(draft: ShownDraft): Promise<void> {
    const answer = await asked(draft, "problems");
    // Undefined: the workspace has been removed since.
    if (answer === undefined || answer === printed) return;
    const isFirst = printed === undefined;
    printed = answer;
    const { problems }: { problems: readonly DescribedProblem[] } = JSON.parse(answer);
    const most = output.json || list.all ? problems.length : PLACED;
    const groups = problems.length > 0 && (await asked(draft, "problem-list", { most: `${most}` }));
    const places = groups ? placesIn(JSON.parse(groups).groups) : undefined;
    const options: ListOptions = { ...list, findPlaces: () => (one) => places?.get(keyOf(one)) };
    output.result(
      () => draftProblemsJson(problems, options),
      () => {
        const lines = formattedProblems("text", problems, options, process.stdout);
        const counts = problemCounts(problems);
        return [...lines, isFirst ? counts : `the problems have changed: ${counts}`];
      },
    );
  }

  return {
    report(draft) {
      if (hasFailed) printed = undefined;
      hasFailed = false;
      if (isWaiting) return;
      isWaiting = true;
      work = work.then(async () => {
        isWaiting = false;
        await attempt("types", () => writeTypes(draft));
        await attempt("problems", () => printProblems(draft));
      });
    },
    failed() {
      hasFailed = true;
    },
  };
}
