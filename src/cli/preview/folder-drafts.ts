import { type RenamedEntry, renamedEntries } from "../../diff/renamed-entries.ts";
import { titleBy, titleFields, titleValues } from "../../fields/entry-title.ts";
import { type FolderDraft, type FolderRecords, folderDraft } from "../../folder/folder-draft.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import { newToken, TokenHashes, tokenHash } from "../../store/tokens.ts";
import { assetFilePath } from "../../workspace/asset.ts";
import type { WorkspaceRow } from "../../workspace/draft.ts";
import { SvcError } from "../../workspace/errors.ts";
import { ownMember } from "../../workspace/json.ts";

const NUMBER = 1;

/** H19: the draft of a workspace folder in memory; none before it has a `workspace.json` (H10a). */
export class FolderDrafts implements PreviewedDrafts {
  readonly source = "folder";
  #draft: FolderDraft | undefined;
  #changes = 0;
  #created: readonly (readonly [sha256: string, expiresAt: string])[] = [];
  #files: ReadonlyMap<string, string> | undefined;

  /** Returns the entries that seem to have another id now (D6). */
  change(records: FolderRecords): readonly RenamedEntry[] {
    const before = this.#draft;
    this.#draft = folderDraft(records);
    this.#changes += 1;
    if (before?.assets !== records.assets) this.#files = undefined;
    if (before === undefined) return [];
    const come = idsBeside(records, before);
    const gone = come.length === 0 ? [] : idsBeside(before, records);
    return renamedEntries(entriesOf(before, gone), entriesOf(this.#draft, come));
  }

  get changeMark(): string {
    return String(this.#changes);
  }

  checkInPlace(): void {}

  read<T>(work: () => T): T {
    return work();
  }

  workspaces(): readonly WorkspaceRow[] {
    if (this.#draft === undefined) return [];
    return [{ number: NUMBER, id: this.#draft.workspace.id, revision: this.#changes }];
  }

  workspaceOfProject(projectId: string): WorkspaceRow | undefined {
    const isHere = this.#draft?.projects.some(({ id }) => id === projectId);
    return isHere ? this.workspaces()[0] : undefined;
  }

  draft(): FolderDraft {
    if (this.#draft === undefined) throw new TypeError("there is no draft yet");
    return this.#draft;
  }

  draftFile(path: string): Uint8Array | undefined {
    this.#files ??= this.#draft && pathsOfFiles(this.#draft);
    const sha256 = this.#files?.get(path);
    if (sha256 === undefined) return undefined;
    try {
      return this.#draft?.fileBytes(sha256);
    } catch (error) {
      // The file is another one since, which is read soon, or when its asset has no faults (H10a).
      if (error instanceof SvcError && error.code === "file-changed") return undefined;
      throw error;
    }
  }

  readonly tokens: PreviewedDrafts["tokens"] = {
    create: (_workspace, { expiresAt }) => {
      const token = newToken();
      this.#created = [...this.#created, [tokenHash(token), expiresAt.toISOString()]];
      return { token };
    },
    of: (workspace) => {
      const token = this.#draft?.previewToken;
      const own = token === undefined ? [] : [[tokenHash(token), null] as const];
      return new TokenHashes(workspace === NUMBER ? [...own, ...this.#created] : []);
    },
  };
}

/** Of the entries that the other does not have. */
function idsBeside({ entries }: FolderRecords, other: FolderRecords): string[] {
  const ids: string[] = [];
  for (const id of entries.keys()) if (!other.entries.has(id)) ids.push(id);
  return ids;
}

function entriesOf(draft: FolderDraft, ids: readonly string[]) {
  return ids.flatMap((id) => {
    const entry = draft.entries.get(id);
    if (entry === undefined) return [];
    const [{ modelId: model }, data] = [entry, draft.dataOf(entry)];
    const fields = draft.models.find((one) => one.id === model)?.fields ?? [];
    const title = titleBy(titleFields(fields), (field) =>
      titleValues(field, ownMember(data, field.key), []),
    );
    return { id, model, title, data };
  });
}

function pathsOfFiles({ assets }: FolderRecords): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const asset of assets.values()) {
    for (const { sha256, fileName } of [asset, ...(asset.versions ?? [])]) {
      if (sha256 !== undefined) files.set(assetFilePath({ sha256, fileName }), sha256);
    }
  }
  return files;
}
