import type { CheckResult, DoctorSetup } from "../../../deploy/edge/doctor.ts";
import { serverUrl } from "../../../http/server-url.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command, notEmpty, type SharedOptions } from "../../command.ts";
import { kvsOption } from "../../deploy/target-options.ts";
import { counted } from "../../output/counted.ts";
import { printable } from "../../output/printable.ts";
import { styled } from "../../output/styled.ts";

interface DoctorOptions extends SharedOptions {
  readonly kvs?: string;
  readonly url?: string;
  readonly project?: string;
}

export const cdnDoctorCommand = command("doctor", [
  "svc cdn doctor --url https://d123.cloudfront.net/api/v1 --kvs arn:…",
])
  .description(
    "Check what clients see of a live API, and the KeyValueStore, changing nothing. Exit status 1 if a check failed.",
  )
  .addOption(kvsOption())
  .option("--url <base_url>", "where the API is served", notEmpty)
  .option(
    "--project <id>",
    "a published project (default: one with a pointer in the KeyValueStore)",
    notEmpty,
  )
  .action(
    action<DoctorOptions>(async (output, options) => {
      const { diagnose } = await import("../../../deploy/edge/doctor.ts");
      const { ok, checks } = await diagnose(await setupOf(options));
      const count = (status: CheckResult["status"]) =>
        checks.filter((check) => check.status === status).length;
      const counts = { ok: count("ok"), failed: count("failed"), skipped: count("skipped") };
      const summary = `${counted(checks.length, "check")}: ${counts.ok} ok, ${counts.failed} failed, ${counts.skipped} skipped`;
      output.result({ ok, checks, counts }, [...checks.flatMap(lines), summary].join("\n"));
      return ok ? 0 : 1;
    }),
  );

async function setupOf({ kvs, url, project }: DoctorOptions): Promise<DoctorSetup> {
  if (kvs === undefined && url === undefined) {
    throw new UsageError("there is nothing to check", "give --url, --kvs or both");
  }
  const host = url === undefined ? undefined : serverUrl(url);
  return {
    ...(project !== undefined && { project }),
    ...(host !== undefined && { host }),
    ...(host?.startsWith("https:") && { plainHost: host.replace(/^https/, "http") }),
    ...(kvs !== undefined && { keyValues: await storeOf(kvs) }),
  };
}

async function storeOf(kvs: string) {
  // Imported only here: loading the client takes longer than a usage error or help.
  const { openKeyValueStore } = await import("../../../deploy/aws/cloudfront-key-value-store.ts");
  return openKeyValueStore(kvs, { signal: new AbortController().signal });
}

const COLOURS = { ok: "green", failed: "red", skipped: "yellow" } as const;

function lines({ id, title, status, detail, hint }: CheckResult): string[] {
  const word = styled(COLOURS[status], status.padEnd(7), process.stdout);
  return [
    `${word} ${id.padEnd(17)} ${title}`,
    ...(status === "ok" ? [] : [`        ${printable(detail)}`]),
    ...(hint === undefined ? [] : [`        hint: ${hint}`]),
  ];
}
