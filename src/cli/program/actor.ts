import { hostname, userInfo } from "node:os";

/** R6a: who runs the command, for a hold: the user that CI names, else user@host. */
export function actor(): string {
  const { GITHUB_ACTOR, GITLAB_USER_LOGIN } = process.env;
  return (GITHUB_ACTOR || GITLAB_USER_LOGIN || `${userName()}@${hostname()}`).slice(0, 100);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return `${process.getuid?.() ?? "unknown"}`;
  }
}
