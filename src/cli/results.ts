import type { CheckResult } from "../deploy/edge/doctor.ts";
import type { ListedRelease } from "../deploy/releases/list-releases.ts";
import type { ListedPreview } from "../deploy/releases/previews.ts";
import type { PruneVerdict } from "../deploy/releases/prune.ts";
import type { Diff } from "../diff/diff.ts";
import type { DueEntry, LeftOut } from "../documents/hidden-entries.ts";
import type { RelaxedConstraint } from "../folder/migrate/migration.ts";
import type { FormatReport } from "../import/format.ts";
import type { FileCounts } from "../publish/apply-plan.ts";
import type { DocumentRemovals } from "../publish/publish-limits.ts";
import type { Verified } from "../publish/verify.ts";
import type { DraftStats } from "../stats/draft-stats.ts";
import type { JournalEntry, ListedVersion } from "../store/history.ts";
import type { Token } from "../store/tokens.ts";
import type { FileDifference, FolderFault, ObjectFault } from "../workspace/errors.ts";
import type { Hold } from "../workspace/hold.ts";
import type { FilePlace } from "../workspace/problem.ts";
import type { DescribedProblem } from "../workspace/problem-messages.ts";
import type { Counts } from "../workspace/records.ts";

// N5: what commands print with --json. `npm run build` makes svc.output.schema.json of it. Members
// may be added, but neither renamed nor removed.

/** @pattern ^[0-9a-f]{32}$ */
export type VersionId = string;

/** How many findings there are, by level and by code. */
export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly byCode: Readonly<Record<string, number>>;
}

/** A problem of a draft; with its place in the files of a folder (P13a). */
export type Problem = DescribedProblem & Partial<FilePlace>;

export interface Problems {
  readonly problems: readonly Problem[];
  readonly counts: FindingCounts;
}

/** A published file that is not as its manifest says. */
export interface Difference extends FileDifference {
  readonly code: `file-${FileDifference["reason"]}`;
}

/** What every command prints when it fails; `svc dev` and `svc preview` go on. */
export interface Failure {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string | undefined;
    readonly problems?:
      | readonly (Problem | Omit<FolderFault, "subject"> | Difference | ObjectFault)[]
      | undefined;
    readonly counts?: FindingCounts | undefined;
  };
}

/** One action of the plan of a deploy, and why. */
export interface PlanLine {
  readonly action: "upload" | "delete" | "point" | "invalidate";
  /** An object's key, a project's id, or a path. */
  readonly what: string;
  readonly reason: string;
}

interface Planned {
  readonly dryRun?: true;
  readonly plan?: readonly PlanLine[];
}

interface Deployed extends Planned {
  /** With --url: when that address served it. */
  readonly live?: { readonly url: string; readonly milliseconds: number };
}

/** A workspace that was deployed as a release. */
export interface DeployedRelease {
  readonly workspaceId: string;
  readonly versionId: VersionId;
  readonly release: string;
  readonly objects: { readonly uploaded: number; readonly present: number };
  readonly bytes: number;
  readonly projects: readonly string[];
  readonly removed: readonly string[];
}

interface WorkspaceHold extends Hold {
  readonly workspaceId: string;
}

export interface ReleaseDeploy extends Deployed {
  readonly mode: "release";
  readonly workspaces: readonly DeployedRelease[];
  /** L15: nothing was made live. */
  readonly preview?: DeployedPreview;
}

export interface DeployedPreview {
  readonly name: string;
  readonly expiresAt: string;
  /** Of a dry run there is none. */
  readonly token?: string;
  /** With --url: of each project, with the token. */
  readonly urls?: readonly string[];
}

/** `svc deploy --preview <name> --drop`. */
export interface DroppedPreview {
  readonly preview: string;
  readonly dropped: boolean;
}

export interface InPlaceDeploy extends Deployed {
  readonly mode: "in-place";
  /** The versions, by workspace. */
  readonly workspaces: Readonly<Record<string, string>>;
  readonly objects: {
    readonly uploaded: number;
    readonly unchanged: number;
    readonly removed: number;
  };
  readonly bytes: number;
  /** Of all that a CloudFront distribution has cached (L7). */
  readonly invalidation?: { readonly distribution: string; readonly id: string };
}

interface Pinned {
  readonly release: string;
  readonly isPinned: boolean;
}

interface PrintedText {
  readonly text: string;
  readonly bytes: number;
}

interface Listening {
  readonly listening: string;
  /** The base address of the API. */
  readonly baseUrl: string;
  /** The addresses of projects. */
  readonly projects: readonly string[];
}

interface Previewing extends Listening {
  /** The link of the page, with the access key. */
  readonly page: string;
}

interface WrittenFile {
  readonly file: string;
  readonly written: boolean;
}

export interface DiffResult extends Diff, Problems {
  /** Null between two addresses. */
  readonly workspaceId: string | null;
  /** Null of a draft, and where nothing is published. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface PublishResult extends Problems {
  readonly workspaceId: string;
  readonly versionId: VersionId;
  readonly published: boolean;
  readonly files: FileCounts;
  readonly bytes: number;
  readonly pruned: readonly string[];
  readonly leftOut: LeftOut;
  readonly clock: string;
  readonly dryRun?: true;
  readonly wouldPublish?: boolean;
  readonly removals?: DocumentRemovals;
  readonly hold?: Hold;
  readonly diff?: DiffResult;
}

/** A6. */
export interface Due {
  readonly workspaceId: string;
  /** The reading of the clock. RFC 3339, UTC. */
  readonly at: string;
  /** That of the version that is published; null: there is none, or it is not known. */
  readonly since: string | null;
  readonly due: readonly DueEntry[];
}

export interface MigrateResult {
  readonly folder: string;
  readonly migration: string;
  readonly resumed: boolean;
  readonly files: readonly {
    readonly file: string;
    /** M9: its new name. */
    readonly to?: string;
    readonly records: number;
  }[];
  readonly records: number;
  readonly written: boolean;
  /** M8. */
  readonly relaxed?: readonly RelaxedConstraint[];
  readonly notes?: readonly string[];
  readonly diff?: string;
}

/** H48: what a site needs to read the draft. */
interface SiteVariables {
  readonly variables: { readonly SVC_URL: string; readonly SVC_PREVIEW_TOKEN: string };
  readonly expiresAt: string;
}

/** By the words of the command. */
export interface Results {
  readonly init: { readonly folder: string; readonly files: number };
  readonly dev: Previewing | Problems | WrittenFile | SiteVariables;
  readonly import: {
    readonly workspaceId: string;
    readonly counts: Counts;
  } & Partial<FormatReport> & {
      readonly folder?: string;
      readonly files?: FileCounts;
    };
  readonly export: {
    readonly workspaceId: string;
    readonly folder: string;
    readonly counts: Counts;
    readonly files: FileCounts;
    readonly left: readonly string[];
  };
  readonly migrate: MigrateResult;
  readonly check: Problems;
  readonly stats: ({ readonly workspaceId: string } & DraftStats) | Due;
  readonly publish: PublishResult;
  readonly write: {
    readonly workspaceId: string;
    readonly versionId: VersionId;
    readonly files: FileCounts;
  };
  readonly versions: {
    readonly workspaceId: string;
    readonly current: string | null;
    readonly versions: readonly ListedVersion[];
    readonly journal: readonly JournalEntry[];
    readonly hold: Hold | null;
  };
  readonly diff: DiffResult;
  readonly rollback: {
    readonly workspaceId: string;
    readonly versionId: VersionId;
    readonly from: string;
    readonly rolledBack: boolean;
    readonly files: FileCounts;
    /** Null: it was current already, and nothing held it. */
    readonly hold: Hold | null;
  };
  readonly resume: {
    readonly workspaceId: string;
    /** The hold that ended; null: there was none. */
    readonly ended: Hold | null;
  };
  readonly types:
    | { readonly types: string }
    | WrittenFile
    | { readonly file: string; readonly upToDate: boolean };
  readonly verify: Omit<Verified, "differs"> & {
    readonly differs: readonly Difference[];
    readonly counts: FindingCounts;
  };
  readonly serve: Listening;
  readonly preview: Previewing;
  readonly completion: { readonly script: string };
  readonly "schema folder": {
    readonly folder: string;
    readonly files: readonly string[];
    readonly faulty: number;
    readonly settings?: string;
  };
  readonly "merge-driver install": {
    readonly folder: string;
    readonly attributes: string;
    readonly added: number;
    readonly driver: string;
  };
  readonly "merge-driver run": {
    readonly path: string;
    readonly by: "fields" | "lines";
    readonly conflicts: number;
    readonly places: readonly string[];
  };
  readonly "token create": Token & { readonly token: string };
  readonly "token list": { readonly tokens: readonly Token[] };
  readonly "token revoke": { readonly revoked: string };
  readonly deploy: ReleaseDeploy | InPlaceDeploy | DroppedPreview;
  readonly "deploy list": {
    readonly releases: readonly (Omit<ListedRelease, "deployedAt"> & {
      /** Null for an incomplete release. */
      readonly deployedAt: string | null;
    })[];
    readonly holds: readonly WorkspaceHold[];
    /** L15, those that have expired too. */
    readonly previews: readonly (Omit<ListedPreview, "expiresAt"> & {
      readonly expiresAt: string;
    })[];
  };
  readonly "deploy rollback": Planned & {
    readonly workspaceId: string;
    readonly versionId: VersionId;
    readonly release: string;
    readonly projects: readonly string[];
    readonly removed: readonly string[];
  };
  readonly "deploy resume": { readonly ended: readonly WorkspaceHold[] };
  readonly "deploy pin": Pinned;
  readonly "deploy unpin": Pinned;
  readonly "deploy prune": {
    readonly releases: readonly PruneVerdict[];
    readonly assets: readonly string[];
    readonly removed?: number;
    readonly spared?: readonly string[];
    readonly dryRun?: true;
    readonly deletes?: number;
  };
  readonly "cdn function": PrintedText;
  readonly "cdn worker": PrintedText;
  /** The CloudFormation template itself. */
  readonly "cdn template": object;
  readonly "cdn nginx": PrintedText;
  readonly "cdn tokens": {
    readonly tokens: number;
    readonly projects: readonly string[];
    readonly added: number;
    readonly removed: number;
    /** Those that never expire. */
    readonly withoutEnd: readonly { readonly id: string; readonly name: string }[];
  };
  readonly "cdn doctor": {
    readonly ok: boolean;
    readonly checks: readonly CheckResult[];
    readonly counts: Readonly<Record<CheckResult["status"], number>>;
  };
}
