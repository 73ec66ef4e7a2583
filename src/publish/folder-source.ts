import { addressOfFilePath } from "../documents/address.ts";
import { checkDraft } from "../documents/check-draft.ts";
import type { Draft } from "../workspace/draft.ts";
import {
  type Before,
  completing,
  type DraftSource,
  publishedRendering,
  type RenderOptions,
  renderDraft,
} from "./draft-source.ts";
import { EMPTY_MANIFEST, openOut, readManifest } from "./manifest.ts";
import { readOut } from "./read-out.ts";
import type { Version } from "./version.ts";

/** A folder's draft in memory: nothing keeps its earlier versions, so what is published is what `out` has (R11a). */
export class FolderSource implements DraftSource {
  readonly hold = undefined;
  readonly clock = null;
  readonly #draft: Draft;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  get workspaceId(): string {
    return this.#draft.workspace.id;
  }

  read<T>(work: (draft: Draft) => T): T {
    return work(this.#draft);
  }

  check(options: RenderOptions) {
    return checkDraft(publishedRendering(this.#draft, options), options);
  }

  before(out: string): Before {
    return beforeIn(out, this.workspaceId);
  }

  commit<T>(work: () => T): T {
    return work();
  }

  attempt<T>(work: () => T): T {
    return work();
  }

  render(options: RenderOptions) {
    return renderDraft(this.#draft, options);
  }

  keep(): void {}

  prune(): readonly string[] {
    return [];
  }

  write<T>(version: Version, work: () => T): T {
    return completing(version, ["written in part", "the same command"], work);
  }
}

/** What `out` has of a workspace. */
export function beforeIn(out: string, workspaceId: string): Before {
  const { workspaces } = readManifest(out) ?? EMPTY_MANIFEST;
  const found = Object.hasOwn(workspaces, workspaceId) ? workspaces[workspaceId] : undefined;
  const paths = Object.keys(found?.files ?? {});
  return {
    versionId: found?.versionId,
    paths,
    *contents({ versionId }) {
      const folder = openOut(out);
      for (const path of paths.filter(isContent)) {
        yield { isKept: versionId === found?.versionId, bytes: () => folder.read(path) };
      }
    },
    side: () => readOut(out, workspaceId),
  };
}

export function isContent(path: string): boolean {
  return addressOfFilePath(path)?.kind === "content";
}
