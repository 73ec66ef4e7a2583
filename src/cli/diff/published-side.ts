import { readLive } from "../../deploy/read-live.ts";
import { PublishedDocuments } from "../../diff/published-documents.ts";
import type { Snapshot } from "../../diff/snapshot.ts";
import { readOut } from "../../publish/read-out.ts";
import { readUrl } from "../../publish/read-url.ts";
import { UsageError } from "../../workspace/errors.ts";
import { type BucketOptions, openDeployContext, pointersOf } from "../deploy/deploy-options.ts";
import type { Remarks } from "../output/output.ts";
import type { SideName } from "./side-names.ts";

export interface PublishedSide {
  /** Undefined when nothing is published there. */
  readonly versionId: string | undefined;
  /** Undefined when nothing says so. */
  readonly workspaceId: string | undefined;
  readonly snapshot: Snapshot;
  readonly projectIds: readonly string[];
}

export interface PublishedSideOptions {
  readonly bucket: Omit<BucketOptions, "workspace">;
  /** Undefined: the only one. */
  readonly workspaceId: string | undefined;
  /** The projects to read from an address, which has no list of them. */
  readonly projectIds: readonly string[];
}

/** Reads all documents of a published side. */
export async function readPublishedSide(
  side: SideName,
  options: PublishedSideOptions,
  output: Remarks,
): Promise<PublishedSide> {
  const documents = new PublishedDocuments();
  const found = await read(side, documents, options, output);
  if (found?.versionId === undefined) output.note(nothingPublished(side, options));
  const { versionId, workspaceId } = found ?? {};
  const { projectIds } = documents;
  return { versionId, workspaceId, snapshot: documents.snapshot(), projectIds };
}

async function read(
  { kind, name }: SideName,
  documents: PublishedDocuments,
  { bucket, workspaceId, projectIds }: PublishedSideOptions,
  output: Remarks,
): Promise<{ versionId: string | undefined; workspaceId?: string } | undefined> {
  if (kind === "out") return readOut(name, workspaceId, documents);
  if (kind === "url") {
    if (projectIds.length === 0) {
      throw new UsageError(
        "an address does not list its projects",
        "name them with --project, once for each",
      );
    }
    return { versionId: await readUrl(name, projectIds, documents, output.progress) };
  }
  const context = await openDeployContext(name, bucket, output);
  const pointers = await pointersOf(context, bucket);
  return readLive(context.objects, pointers, workspaceId, documents, context.work);
}

/** A misspelt or renamed project or workspace must not pass as one that nobody uses yet. */
function nothingPublished({ kind, name }: SideName, options: PublishedSideOptions): string {
  const { projectIds, workspaceId } = options;
  const wanted =
    kind === "url"
      ? `of the projects ${projectIds.join(", ")} (name others with --project)`
      : workspaceId === undefined
        ? ""
        : `of the workspace "${workspaceId}"`;
  return `warning: ${name} has nothing published ${wanted}`.trimEnd();
}
