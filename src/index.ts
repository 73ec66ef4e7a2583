/** The public API of the package. */

export { type Diff, diffSnapshots } from "./diff/diff.ts";
export { NOTHING, type Snapshot } from "./diff/snapshot.ts";
export { type Address, filePath, urlPath } from "./documents/address.ts";
export { canonicalJson } from "./documents/canonical-json.ts";
export { checkDraft } from "./documents/check-draft.ts";
export { type Document, PREVIEW, type Surface } from "./documents/document.ts";
export { renderDocument, renderDocuments } from "./documents/documents.ts";
export { Rendering } from "./documents/rendering.ts";
export { versionIdOf, withoutVersionId } from "./documents/version-id.ts";
export { readFolder } from "./folder/read-folder.ts";
export { writeFolder } from "./folder/write-folder.ts";
export { planPublish, publish, write } from "./publish/publish.ts";
export { rollback } from "./publish/rollback.ts";
export { draftSnapshot, versionSnapshot } from "./publish/snapshots.ts";
export { verify } from "./publish/verify.ts";
export { verifyUrl } from "./publish/verify-url.ts";
export { apiHandler } from "./server/api-handler.ts";
export { listen, type RunningServer } from "./server/listen.ts";
export { Preview } from "./server/preview.ts";
export { PublishedFiles } from "./server/published-files.ts";
export { openStore, type Store } from "./store/store.ts";
export type { Draft } from "./workspace/draft.ts";
export { type ErrorProblems, SvcError } from "./workspace/errors.ts";
export type { Problem, ProblemCode, ProblemLevel } from "./workspace/problem.ts";
export { type DescribedProblem, describedProblem } from "./workspace/problem-messages.ts";
export type * from "./workspace/records.ts";
export type { SourceItem, WorkspaceSource } from "./workspace/source.ts";
