import { ComparedVersions, type ComparedWith } from "../../../src/cli/preview/compared-with.ts";
import { OwnedDraft } from "../../../src/page/owned-draft.ts";
import { Live } from "../../../src/server/live.ts";
import type { PreviewedDrafts } from "../../../src/server/previewed-drafts.ts";
import { openStore } from "../../../src/store/store.ts";

type Options = Partial<ConstructorParameters<typeof OwnedDraft>[1]>;

/** The owner of drafts, in this thread. */
export function ownerOf(
  drafts: PreviewedDrafts,
  options: Options = {},
  comparedWith: ComparedWith = {},
): OwnedDraft {
  const snapshots = new ComparedVersions(comparedWith, drafts, openStore);
  return new OwnedDraft(drafts, { live: new Live(), snapshots, ...options });
}
