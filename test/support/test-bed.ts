import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, filePath } from "../../src/documents/address.ts";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { documentAt } from "../../src/documents/documents.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { type Published, planPublish, publish } from "../../src/publish/publish.ts";
import type { RemovalLimit } from "../../src/publish/publish-limits.ts";
import { rollback, write } from "../../src/publish/rollback.ts";
import { StoreSource } from "../../src/publish/store-source.ts";
import { verify } from "../../src/publish/verify.ts";
import type { Store } from "../../src/store/store.ts";
import type { Asset } from "../../src/workspace/asset.ts";
import type { Problem } from "../../src/workspace/problem.ts";
import type {
  Block,
  Entry,
  Feature,
  Model,
  Project,
  Workspace,
} from "../../src/workspace/records.ts";
import type { Severities } from "../../src/workspace/severity.ts";
import type { SourceItem } from "../../src/workspace/source.ts";
import { atEnd } from "./at-end.ts";
import { newStore } from "./store/new-store.ts";

/** The parts of a workspace; omitted ones are empty. */
export interface Parts extends Partial<Omit<Workspace, "id">> {
  readonly id?: string;
  readonly previewToken?: string;
  readonly models?: readonly Model[];
  readonly blocks?: readonly Block[];
  readonly features?: readonly Feature[];
  readonly projects?: readonly Project[];
  readonly entries?: readonly Entry[];
  readonly assets?: readonly Asset[];
  /** Bytes of assets by SHA-256. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
}

/** The parts as a source for an import. */
export function* source(parts: Parts): Generator<SourceItem> {
  const { id = "w", name = "Workspace", previewToken, assetBaseUrl, assetTexts, fields } = parts;
  const settings = {
    ...(assetBaseUrl !== undefined && { assetBaseUrl }),
    ...(assetTexts !== undefined && { assetTexts }),
    ...(fields && { fields }),
  };
  yield {
    kind: "workspace",
    record: { id, name, ...settings },
    ...(previewToken !== undefined && { previewToken }),
  };
  for (const record of parts.models ?? []) yield { kind: "models", record };
  for (const record of parts.blocks ?? []) yield { kind: "blocks", record };
  for (const record of parts.features ?? []) yield { kind: "features", record };
  for (const record of parts.projects ?? []) yield { kind: "projects", record };
  for (const record of parts.entries ?? []) yield { kind: "entries", record };
  for (const [sha256, bytes] of parts.files ?? []) yield { kind: "file", sha256, bytes };
  for (const record of parts.assets ?? []) yield { kind: "assets", record };
}

/** A folder that is deleted when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** N3: for workspaces that lack models, blocks, entries and assets on purpose. */
export const MEANT: Severities = {
  "asset-missing": "warning",
  "html-unreadable": "warning",
  "block-deleted": "warning",
  // Of JSON, whose members may be called as locales.
  "localized-missing": "warning",
  "model-missing": "warning",
  "reference-deleted": "warning",
  "reference-draft": "warning",
  "reference-other-workspace": "warning",
};

/** A store in a temporary folder with an `out/`. */
export class TestBed {
  readonly folder = temporaryFolder();
  readonly out = join(this.folder, "out");
  readonly store: Store = newStore(join(this.folder, "workspace.db"));

  constructor(...workspaces: readonly Parts[]) {
    atEnd(() => this.store.close());
    for (const parts of workspaces) this.import(parts);
  }

  import(parts: Parts): void {
    this.store.import(source(parts), new Date());
  }

  publish(
    options: {
      workspace?: string;
      strict?: boolean;
      dryRun?: boolean;
      keep?: number;
      out?: string;
      maxRemovals?: RemovalLimit | undefined;
      maxSize?: number;
      /** A4: RFC 3339; default: the time of the clock. */
      at?: string | undefined;
      severity?: Severities;
    } = {},
  ): Published {
    const { workspace, strict = false, dryRun = false, keep = 20, maxRemovals, maxSize } = options;
    const { out = this.out, at, severity = MEANT } = options;
    const how = {
      strict,
      severity,
      keep,
      program: "tests",
      now: new Date(),
      onProgress: () => {},
      ...(maxRemovals && { maxRemovals }),
      ...(maxSize !== undefined && { maxSize }),
      ...(at !== undefined && { at: Date.parse(at) }),
    };
    const { store } = this;
    const source = new StoreSource(store, store.workspace(workspace));
    return dryRun ? planPublish(source, out, how) : publish(source, out, how);
  }

  rollback(prefix: string, workspace?: string) {
    const how = { now: new Date(), onProgress: () => {} };
    return rollback(this.store, this.store.workspace(workspace), prefix, this.out, how);
  }

  verify() {
    return verify(this.out, () => {});
  }

  write(workspace?: string) {
    return write(this.store, this.store.workspace(workspace), this.out, { onProgress: () => {} });
  }

  check(workspace?: string, severities: Severities = {}): readonly Problem[] {
    return this.store.read(() =>
      checkDraft(new Rendering(this.store.draft(this.store.workspace(workspace)), { severities })),
    );
  }

  /** The draft's document as it would be frozen, or as preview serves it. */
  render(surface: "published" | "preview", address: Address, workspace?: string) {
    return this.store.read(() => {
      const draft = this.store.draft(this.store.workspace(workspace));
      const view = { at: Date.now(), showsHidden: surface === "preview" };
      const rendering = new Rendering(draft, { view });
      return documentAt(rendering, address, surface);
    });
  }

  /** A published file as a value; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access documents without types
  file(address: Address | string): any {
    const path = join(this.out, typeof address === "string" ? address : filePath(address));
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  }
}

/** The two surfaces, for rules that cover both. */
export const SURFACES = ["published", "preview"] as const;

/** The draft's document on a surface as a value; undefined when there is none. */
export function documentOn(
  bed: TestBed,
  surface: (typeof SURFACES)[number],
  address: Address,
  workspace?: string,
  // biome-ignore lint/suspicious/noExplicitAny: tests access documents without types
): any {
  const document = bed.render(surface, address, workspace);
  return document && JSON.parse(document.bytes(null).toString());
}
