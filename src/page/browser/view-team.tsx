import { useState } from "preact/hooks";
import type { Saved, SavedRecord, SavePlan, TeamConflict, TeamState } from "../team.ts";
import { act } from "./access.ts";
import { useActed } from "./answers.ts";
import { ComparedValues } from "./compared-values.tsx";
import { useCanEdit } from "./edit-state.tsx";
import { useEvents } from "./listening.ts";
import {
  Awaited,
  announce,
  Button,
  ChangeTag,
  EmptyState,
  Failure,
  Group,
  TitleLink,
  ViewHead,
} from "./parts.tsx";
import { entryHref, viewHref } from "./router.ts";
import { counted } from "./words.ts";

type Side = "mine" | "theirs";

/** H77: the branch, and what is not saved or not here yet; asked again when the reader comes back, who may have used Git. */
export function TeamLink() {
  const action = useCanEdit() ? "git-state" : undefined;
  const times = useEvents(CHANGED, "focus");
  const { answer, error } = useActed<{ state: TeamState | null }>(action, { times });
  const state = answer?.state;
  if (!state && !error) return null;
  return (
    <a class="team-link" href={viewHref(["team"])} title={state ? standing(state) : undefined}>
      <bdi>{state ? (state.branch ?? "no branch") : "Git"}</bdi>
      {state && state.changed > 0 && (
        <span class="count is-changed">
          {state.changed}
          <span class="unseen"> not saved for the team</span>
        </span>
      )}
      {state && state.behind > 0 && (
        <span class="count is-added">
          {`↓${state.behind}`}
          <span class="unseen"> of others not here</span>
        </span>
      )}
    </a>
  );
}

/** "Branch main: 3 files are not saved for the team; others have 2 changes that are not here". */
function standing({ branch, upstream, changed, ahead, behind }: TeamState): string {
  const parts = [
    changed > 0 && `${counted(changed, "file is", "files are")} not saved for the team`,
    ahead > 0 && `${counted(ahead, "saving is", "savings are")} not sent`,
    behind > 0 &&
      `others have ${counted(behind, "change")} that ${behind === 1 ? "is" : "are"} not here`,
    upstream === null && "nobody else gets it",
  ];
  const said = parts.filter((part) => part).join("; ");
  return `Branch ${branch ?? "none"}: ${said || "all is saved, as far as is known here"}`;
}

/** H78, H79: saves for the team, and decides what both sides changed. */
export function TeamView() {
  const [times, setTimes] = useState(0);
  const { answer: plan, error, isOfQuery } = useActed<SavePlan>("git-plan", { times });
  // The last plan stays until that after a saving is here, and is not told beside what that did.
  const isOld = plan !== undefined && !isOfQuery && error === undefined;
  const [written, setWritten] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const [saved, setSaved] = useState<Saved>();
  const [failure, setFailure] = useState<Error>();
  const save = async (choices: Readonly<Record<string, Side>> = {}) => {
    setSaving(true);
    setFailure(undefined);
    announce("Saving for the team.");
    try {
      const answer = await savedByServer(written ?? plan?.sentence ?? "", choices);
      setSaved(answer);
      setWritten(undefined);
      announce(saidOf(answer));
    } catch (reason) {
      setSaved(undefined);
      setFailure(reason as Error);
    }
    setSaving(false);
    setTimes((count) => count + 1);
    teamChanged();
  };
  const conflicts = saved?.conflicts ?? [];
  return (
    <article key="team">
      <ViewHead
        title="Save for the team"
        below={plan && (isOld ? "Reading…" : standing(plan.state))}
      />
      {failure && <Failure title="It was not done" problem={failure} />}
      {saved && !isOld && conflicts.length === 0 && <p class="note is-good">{saidOf(saved)}</p>}
      {plan === undefined && <Awaited error={error} text="Reading…" />}
      {plan?.state.problem && <Failure problem={{ message: plan.state.problem }} />}
      {conflicts.length > 0 && (
        <Conflicts
          key={conflicts.map(({ key }) => key).join()}
          {...{ conflicts, isSaving, save }}
        />
      )}
      {plan && conflicts.length === 0 && plan.state.problem === null && (
        <Plan
          plan={plan}
          words={written ?? plan.sentence}
          write={setWritten}
          isSaving={isSaving || isOld}
          save={() => void save()}
        />
      )}
      {/* H80. */}
      <p class="soft">
        Readers see none of this yet. <a href={viewHref(["changes"])}>Publish</a> is another step:
        it writes the folder <code>out/</code> on this computer, and that is live after the next run
        of what deploys it.
      </p>
    </article>
  );
}

/** A hook may take minutes, and no answer does. */
async function savedByServer(message: string, choices: object): Promise<Saved> {
  let answer = await act<Saved | { isRunning: true }>("git-save", { message, choices });
  while ("isRunning" in answer) answer = await act("git-save", { wait: true });
  return answer;
}

function saidOf({ isCommitted, isSent, received, conflicts }: Saved): string {
  if (conflicts.length > 0) return "You and others have changed the same. Choose what stays.";
  const came = received > 0 ? ` ${counted(received, "change")} of others came.` : "";
  if (!isSent) {
    return "Saved here. Nobody else gets it: the branch has no upstream. A developer runs once: git push -u origin HEAD";
  }
  if (isCommitted) return `Saved for the team.${came}`;
  return came === "" ? "All is saved, and others have nothing new." : `All is saved.${came}`;
}

function Plan({
  plan: { state, records },
  words,
  write,
  isSaving,
  save,
}: {
  plan: SavePlan;
  words: string;
  write: (words: string) => void;
  isSaving: boolean;
  save: () => void;
}) {
  const { changed, ahead, upstream } = state;
  return (
    <form
      class="publish"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {changed > 0 && (
        <>
          <label>
            <span>What have you changed?</span>
            <textarea
              rows={3}
              dir="auto"
              value={words}
              onInput={({ currentTarget }) => write(currentTarget.value)}
            />
          </label>
          <ul class="changes records">{records.map(recordItem)}</ul>
        </>
      )}
      {changed + ahead === 0 && <EmptyState title="All is saved" />}
      <p>
        <button type="submit" disabled={isSaving}>
          {changed + ahead > 0 ? "Save for the team" : "Get what others have saved"}
        </button>{" "}
        <span class="soft">
          {isSaving
            ? "Saving…"
            : upstream === null
              ? "It is saved in this clone alone: the branch has no upstream."
              : `${changed > 0 ? `${counted(changed, "file")} of this workspace, nothing outside of it. ` : ""}Gets what others have saved, then sends yours.`}
        </span>
      </p>
    </form>
  );
}

function recordItem({ kind, id, title, modelName, change, fields }: SavedRecord) {
  const href = kind === "assets" ? viewHref(["assets", id]) : entryHref(id);
  return (
    <li class="change" key={`${kind} ${id}`}>
      <p class="change-head">
        <TitleLink href={change === "removed" ? undefined : href} title={title} />{" "}
        <span class="tag">{modelName ?? (kind === "assets" ? "file" : kind)}</span>{" "}
        <ChangeTag change={change} /> <bdi>{fields.join(", ")}</bdi>
      </p>
    </li>
  );
}

/** H79a: after the last choice it goes on. */
function Conflicts({
  conflicts,
  isSaving,
  save,
}: {
  conflicts: readonly TeamConflict[];
  isSaving: boolean;
  save: (choices: Readonly<Record<string, Side>>) => void;
}) {
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({});
  const choose = (key: string, side: Side) => {
    const all = { ...choices, [key]: side };
    setChoices(all);
    if (conflicts.every((one) => one.key in all)) save(all);
  };
  return (
    <Group name="conflicts" title="You and others have changed the same">
      <p>
        Choose what stays. Your changes are saved here, and sent once each is chosen; until then
        nothing of others is in your files.
      </p>
      <ul class="changes">
        {conflicts.map(({ key, title, value }) => (
          <li class="change choice" key={key}>
            <p class="change-head">
              <TitleLink title={title} />
            </p>
            <ComparedValues values={[value]} heads={["Theirs", "Mine"]} />
            <p>
              {(["theirs", "mine"] as const).map((side) => (
                <>
                  <Button
                    class="chip"
                    aria-pressed={choices[key] === side}
                    disabled={isSaving}
                    onClick={() => choose(key, side)}
                  >
                    {side === "mine" ? "Keep mine" : "Take theirs"}
                    <span class="unseen">{` of ${title}, ${value.place.join(" › ")}`}</span>
                  </Button>{" "}
                </>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </Group>
  );
}

const CHANGED = "svc-team";

/** Git was asked to do something: what is shown of it is asked again. */
const teamChanged = () => dispatchEvent(new Event(CHANGED));
