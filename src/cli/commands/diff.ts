import { inProblemOrder, type Problem } from "../../workspace/problem.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import { compareSides, sideNames } from "../diff/compare-sides.ts";
import { diffLines, diffSummary } from "../output/diff-lines.ts";
import { countsJson, draftProblemsJson, recordText } from "../output/findings.ts";
import { markdownText } from "../output/formats.ts";
import { counted } from "../output/words.ts";
import type { Run } from "../table/table.ts";
import { listOptions } from "../with-draft.ts";

export const diffCommand: Run<"diff"> = async (output, options) => {
  const names = sideNames(options);
  const { workspaceId, before, after, diff } = await compareSides(names, options, output);
  const { format } = options;
  const subject = workspaceId === null ? "" : `"${workspaceId}" `;
  const between = `${subject}${before.label} → ${after.label}`;
  const title = format === "markdown" ? `**${markdownText(between)}**` : between;
  const definitions = after.snapshot.definitions ?? before.snapshot.definitions;
  const lines = [
    `${title}: ${diffSummary(diff)}`,
    ...diffLines(diff, definitions, format, process.stdout),
  ];
  const folder = names.find(({ kind }) => kind === "folder")?.name;
  const ofStore = folder === undefined ? options : { ...options, store: "workspace.db" };
  const { checkCommand } = listOptions(ofStore, folder);
  const problems = inProblemOrder([...before.problems, ...after.problems]);
  if (problems.some(({ level }) => level === "error")) {
    output.note(
      `warning: the draft has errors, so it cannot be published; ${checkCommand} lists them`,
    );
  }
  for (const line of unknownFieldLines(problems, checkCommand)) output.note(line);
  output.result(() => {
    const [from, to] = names;
    // Of a problem that both sides have, the place in the second one is shown.
    const placed = (
      [
        [after, to],
        [before, from],
      ] as const
    ).flatMap(([side, { kind, name }]) => {
      const list = listOptions(options, kind === "folder" ? name : undefined);
      return draftProblemsJson(side.problems, list).problems;
    });
    return {
      workspaceId,
      from: before.versionId,
      to: after.versionId,
      ...diff,
      problems: inProblemOrder(placed),
      counts: countsJson(problems),
    };
  }, lines);
  return options.breaking && diff.summary.breaking > 0 ? 1 : 0;
};

/** Values without a field are in no document, so that no difference shows them. */
function unknownFieldLines(problems: readonly Problem[], checkCommand: string): string[] {
  const unknown = problems.filter(({ code }) => code === "field-unknown");
  const [first] = unknown;
  if (first === undefined) return [];
  const values = counted(unknown.length, "stored value");
  return [
    `warning: the draft has ${values} without a field, the first at ${recordText(first.at)}: ${problemMessage(first)}; ${checkCommand} lists them`,
  ];
}
