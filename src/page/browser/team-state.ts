import type { TeamState } from "../team.ts";
import { useActed } from "./answers.ts";
import { useEvents } from "./listening.ts";

const CHANGED = "svc-team";

/** Git was asked to do something: what is shown of it is asked again. */
export const teamChanged = () => dispatchEvent(new Event(CHANGED));

/** H77: how the folder stands; asked again too when the reader comes back, who may have used Git meanwhile. */
export function useTeamState(): { state?: TeamState | null; error?: Error } {
  const times = useEvents(CHANGED, "focus");
  const { answer, error } = useActed<{ state: TeamState | null }>("git-state", { times });
  return { ...(answer && { state: answer.state }), ...(error && { error }) };
}
