import { useRef } from "preact/hooks";
import type { ShownProblem } from "../dead-values.ts";
import { changeAtOnce, useCanEdit } from "./edit-state.tsx";
import { Button } from "./parts.tsx";

/** Problems, shown beside the value that they are about; in a form in words alone. */
export function ProblemNotes({
  problems,
  isForm = false,
}: {
  problems: readonly ShownProblem[];
  isForm?: boolean;
}) {
  return problems.map((problem) => (
    <p class={problem.level === "error" ? "note is-bad" : "note is-warn"}>
      <strong>{problem.level === "error" ? "Error" : "Warning"}</strong>{" "}
      {isForm
        ? problem.message.replace(/^the required field "[^"]*"/, "This field")
        : problem.message}{" "}
      {!isForm && <code>{problem.code}</code>} <RemoveIt problem={problem} />
    </p>
  ));
}

/** Problems of a record that are not about the value of one of its fields. */
export function RecordNotes({ problems }: { problems: readonly ShownProblem[] }) {
  return (
    <div class="notes">
      {problems.map((problem) => (
        <div data-path={problem.at.path} tabIndex={-1}>
          <ProblemNotes problems={[problem]} />
        </div>
      ))}
    </div>
  );
}

/** H82: removes the value that a problem is about, if that is dead. */
export function RemoveIt({ problem: { at, code, dead } }: { problem: ShownProblem }) {
  const button = useRef<HTMLButtonElement>(null);
  if (!useCanEdit() || dead === undefined) return null;
  const remove = async () => {
    // Not left on a button, which is that of the next problem then: another Enter would remove that.
    const next = button.current?.closest<HTMLElement>(".problem-row");
    const focused = next ?? document.querySelector<HTMLElement>("h1");
    focused?.focus({ preventScroll: true });
    await changeAtOnce("edit-drop", { id: at.id, path: at.path, code, name: dead });
  };
  return (
    <Button ref={button} aria-label={`Remove it: ${dead}`} onClick={remove}>
      Remove it
    </Button>
  );
}
