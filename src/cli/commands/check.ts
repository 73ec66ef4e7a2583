import { SvcError } from "../../workspace/errors.ts";
import type { Problem } from "../../workspace/problem.ts";
import { draftProblemsJson, problemCounts } from "../output/findings.ts";
import { formattedProblems, withFormattedErrors } from "../output/formats.ts";
import { counted } from "../output/words.ts";
import type { Run } from "../table/table.ts";
import { listOptions, withDraft } from "../with-draft.ts";

export const check: Run<"check"> = async (output, options) => {
  const { folder } = options;
  const { strict = false, all, code, entry, format } = options;
  const shown = { ...listOptions(options, folder), all: all ?? (code ?? entry) !== undefined };
  const isOfEntry = ({ at }: Problem) => at.kind === "entry" && at.id === entry;
  const problems = await withFormattedErrors(output, format, shown, () =>
    withDraft(output, options, folder, (source, how) => {
      const found = source.check(how);
      if (entry !== undefined && !found.some(isOfEntry)) {
        source.read(({ entries }) => assertEntry(entries.get(entry), entry));
      }
      return found;
    }),
  );
  const listed = problems
    .filter((problem) => code?.includes(problem.code) ?? true)
    .filter((problem) => entry === undefined || isOfEntry(problem));
  output.result(
    () => draftProblemsJson(listed, shown),
    () => {
      const left = problems.length - listed.length;
      const others = left > 0 ? ` (and ${counted(left, "other problem")})` : "";
      const lines = formattedProblems(format, listed, shown, process.stdout);
      return format === "markdown" ? lines : [...lines, problemCounts(listed) + others];
    },
  );
  return listed.some(({ level }) => strict || level === "error") ? 1 : 0;
};

function assertEntry(found: object | undefined, id: string): void {
  if (found !== undefined) return;
  throw new SvcError("entry-not-found", `the draft has no entry "${id}"`, {
    hint: "check the id; svc check lists the problems of all entries",
  });
}
