import { verify } from "../publish/verify.ts";
import { action, command, type SharedOptions, withOut } from "./command.ts";
import { counted } from "./output.ts";

interface VerifyOptions extends SharedOptions {
  readonly out: string;
}

export const verifyCommand = withOut(command("verify", ["svc verify --out out"])).action(
  action<VerifyOptions>(async (output, { out }) => {
    const { ok, files, differs } = verify(out, output.progress);
    const lines = differs.map(({ path, reason }) => `${reason.padEnd(10)} ${path}`);
    const summary = ok
      ? `${out}: ${counted(files, "file")}, all as published`
      : `${out}: ${counted(differs.length, "file differs", "files differ")}`;
    output.result({ ok, files, differs }, [...lines, summary].join("\n"));
    if (!ok) output.note("hint: svc write brings the files back to the published version");
    return ok ? 0 : 1;
  }),
);
