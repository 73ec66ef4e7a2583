import { type Verified, verify } from "../../publish/verify.ts";
import { verifyServed, verifyUrl } from "../../publish/verify-url.ts";
import { UsageError } from "../../workspace/errors.ts";
import { countsJson, differencesJson } from "../output/findings.ts";
import { styled } from "../output/print.ts";
import { counted } from "../output/words.ts";
import type { Run } from "../table/table.ts";

export const verifyCommand: Run<"verify"> = async (output, { out, url, project }) => {
  if (project !== undefined && url === undefined) {
    throw new UsageError("--project names projects of an address", "add --url, or leave it out");
  }
  const { progress } = output;
  const atUrl = (at: string) =>
    project === undefined ? verifyUrl(out, at, progress) : verifyServed(at, project, progress);
  const verified = url ? await atUrl(url) : verify(out, progress);
  const differs = differencesJson(verified.differs);
  output.result({ ...verified, differs, counts: countsJson(differs) }, [
    ...lines(verified),
    summary(verified, url ?? out),
  ]);
  if (verified.ok) return 0;
  output.note(`hint: ${hint(verified, url)}`);
  return 1;
};

function lines({ differs, interrupted = [] }: Verified): string[] {
  return [
    ...differs.map(
      ({ path, reason, detail }) =>
        `${styled("red", reason.padEnd(10), process.stdout)} ${path}: ${detail}`,
    ),
    ...interrupted.map(
      ({ workspaceId, versionId }) =>
        `${styled("red", "interrupted", process.stdout)} a write of version ${versionId} of "${workspaceId}"`,
    ),
  ];
}

function summary(verified: Verified, where: string): string {
  const { ok, files, differs, interrupted, versionId } = verified;
  if (ok && versionId !== undefined) {
    return `${where}: ${counted(files, "file")}, all of version ${versionId}`;
  }
  if (ok) return `${where}: ${counted(files, "file")}, all as published`;
  if (differs.length === 0) return `${where}: all as published, but a write was interrupted`;
  const cause = interrupted === undefined ? "" : ", because a write was interrupted";
  return `${where}: ${counted(differs.length, "file differs", "files differ")}${cause}`;
}

function hint({ files, differs, interrupted }: Verified, url: string | undefined): string {
  if (url !== undefined && differs.length === files) {
    return "the host serves none of the files: check the URL, or deploy them";
  }
  if (url !== undefined) return "deploy the files again, and wait until caches of old ones expire";
  if (interrupted !== undefined) {
    return "svc publish <folder> completes it; with a store, svc write";
  }
  return differs.every(({ reason }) => reason === "unexpected")
    ? "remove the files that should not be served"
    : "svc publish <folder> restores the published files; with a store, svc write";
}
