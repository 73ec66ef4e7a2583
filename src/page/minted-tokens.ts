import type { PreviewedDrafts } from "../server/previewed-drafts.ts";

export interface MintedToken {
  readonly token: string;
  /** RFC 3339, UTC. */
  readonly expiresAt: string;
}

/** Undefined: there is no such workspace. */
type MintToken = (workspaceId: string) => MintedToken | undefined;

const HOUR = 60 * 60 * 1000;
/** A working day, in milliseconds. */
const TOKEN_LIFETIME = 8 * HOUR;

/**
 * H15: makes a preview token for use outside of the page, or returns the one that it returned before, if
 * that is valid for another hour.
 */
export function mintTokens(drafts: Pick<PreviewedDrafts, "tokens" | "workspaces">): MintToken {
  const minted = new Map<number, MintedToken>();
  return (workspaceId) => {
    const workspace = drafts.workspaces().find(({ id }) => id === workspaceId);
    if (workspace === undefined) return undefined;
    const { number } = workspace;
    const earlier = minted.get(number);
    const createdAt = new Date();
    const inAnHour = new Date(createdAt.getTime() + HOUR);
    if (earlier && drafts.tokens.of(number).isValid(earlier.token, inAnHour)) return earlier;
    const expiresAt = new Date(createdAt.getTime() + TOKEN_LIFETIME);
    const { token } = drafts.tokens.create(number, { name: "preview page", createdAt, expiresAt });
    const made = { token, expiresAt: expiresAt.toISOString() };
    minted.set(number, made);
    return made;
  };
}
