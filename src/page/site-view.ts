import { hash } from "node:crypto";
import { documentAt } from "../documents/documents.ts";
import type { DraftState } from "./draft-state.ts";
import { type Sites, siteAddress } from "./site-address.ts";

export type SiteView = NonNullable<ReturnType<typeof siteView>>;

/** H46: where the site shows an experience, and a mark that differs when what it shows there does. */
export function siteView(state: DraftState, sites: Sites, projectId: string, experienceId: string) {
  const project = state.rendering.projects.find(({ id }) => id === projectId);
  const experience = project?.experiences.find(({ id }) => id === experienceId);
  if (project === undefined || experience === undefined) return undefined;
  const address = siteAddress(sites, { project, experience });
  if (address === undefined) return undefined;
  const content = documentAt(
    state.rendering,
    { kind: "content", projectId, experienceId },
    "preview",
  );
  // Not the whole config: it lists all experiences, and takes milliseconds.
  const { experiences: _, ...own } = project;
  const parts = [JSON.stringify([own, experience]), content?.bytes(null).toString() ?? ""];
  return { address, mark: hash("sha256", parts.join("\n"), "base64url") };
}
