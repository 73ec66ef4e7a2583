import { type Verified, verify } from "../../publish/verify.ts";
import { verifyUrl } from "../../publish/verify-url.ts";
import { action, command, notEmpty, type SharedOptions, withOut } from "../command.ts";
import { counted, styled } from "../output/output.ts";
import { printable } from "../output/printable.ts";

interface VerifyOptions extends SharedOptions {
  readonly out: string;
  readonly url?: string;
}

export const verifyCommand = withOut(
  command("verify", [
    "svc verify --out out",
    "svc verify --out out --url https://cdn.example.com/api/v1",
  ]),
)
  .option("--url <base_url>", "compare what this host serves instead of the files", notEmpty)
  .action(
    action<VerifyOptions>(async (output, { out, url }) => {
      const verified = url
        ? await verifyUrl(out, url, output.progress)
        : verify(out, output.progress);
      output.result(verified, [...lines(verified), summary(verified, url ?? out)].join("\n"));
      if (verified.ok) return 0;
      output.note(`hint: ${hint(verified, url)}`);
      return 1;
    }),
  );

function lines({ differs, interrupted = [] }: Verified): string[] {
  return [
    ...differs.map(
      ({ path, reason, detail }) =>
        `${styled("red", reason.padEnd(10), process.stdout)} ${printable(`${path}: ${detail}`)}`,
    ),
    ...interrupted.map(
      ({ workspaceId, versionId }) =>
        `${styled("red", "interrupted", process.stdout)} a write of version ${versionId} of "${workspaceId}"`,
    ),
  ];
}

function summary({ ok, files, differs, interrupted }: Verified, where: string): string {
  if (ok) return `${where}: ${counted(files, "file")}, all as published`;
  if (differs.length === 0) return `${where}: all as published, but a write was interrupted`;
  const torn = interrupted === undefined ? "" : ", since a write was interrupted";
  return `${where}: ${counted(differs.length, "file differs", "files differ")}${torn}`;
}

function hint({ files, differs, interrupted }: Verified, url: string | undefined): string {
  if (url !== undefined && differs.length === files) {
    return "nothing of it is served there: check the address, or deploy the files";
  }
  if (url !== undefined)
    return "put the files of out/ there again, and let the caches of old ones pass";
  if (interrupted !== undefined) return "svc write or svc publish completes it";
  return differs.every(({ reason }) => reason === "unexpected")
    ? "remove what is not meant to be served there"
    : "svc write brings the files back to the published version";
}
