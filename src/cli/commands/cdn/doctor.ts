import type { CheckResult } from "../../../deploy/edge/doctor/check.ts";
import type { DoctorSetup } from "../../../deploy/edge/doctor/doctor-setup.ts";
import { parseTarget } from "../../../deploy/target.ts";
import { serverUrl } from "../../../http/server-url.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command, notEmpty, type SharedOptions } from "../../command.ts";
import { targetText } from "../../deploy/deploy-options.ts";
import { endpointOption, kvsOption } from "../../deploy/target-options.ts";
import { counted } from "../../output/counted.ts";
import { printable } from "../../output/printable.ts";
import { styled } from "../../output/styled.ts";

interface DoctorOptions extends SharedOptions {
  readonly distribution?: string;
  readonly kvs?: string;
  readonly url?: string;
  readonly role?: string;
  readonly project?: string;
  readonly endpoint?: string;
}

export const cdnDoctorCommand = command("doctor", [
  "svc cdn doctor s3://bucket --distribution E123 --kvs arn:… --url https://d123.cloudfront.net/api/v1",
])
  .description("Check a live set-up, changing nothing. Exit status 1 if a check failed.")
  .argument("[target]", "the bucket that svc deploy writes: s3://bucket[/prefix]")
  .option("--distribution <id>", "the CloudFront distribution", notEmpty)
  .addOption(kvsOption())
  .option("--url <base_url>", "where the API is served", notEmpty)
  .option(
    "--project <id>",
    "a published project (default: one with a pointer in the KeyValueStore)",
    notEmpty,
  )
  .option("--role <role>", "the deploy role, by name or ARN", notEmpty)
  .addOption(endpointOption())
  .action(
    action<DoctorOptions>(async (output, { endpoint, ...options }, target) => {
      const setup = setupOf(options, target);
      // Imported only here: loading the AWS SDK takes longer than a usage error or help.
      const { diagnose } = await import("../../../deploy/edge/doctor/diagnose.ts");
      const { awsClients } = await import("../../../deploy/edge/doctor/doctor-setup.ts");
      const { ok, checks } = await diagnose(setup, awsClients(endpoint));
      const count = (status: CheckResult["status"]) =>
        checks.filter((check) => check.status === status).length;
      const counts = { ok: count("ok"), failed: count("failed"), skipped: count("skipped") };
      const summary = `${counted(checks.length, "check")}: ${counts.ok} ok, ${counts.failed} failed, ${counts.skipped} skipped`;
      output.result({ ok, checks, counts }, [...checks.flatMap(lines), summary].join("\n"));
      return ok ? 0 : 1;
    }),
  );

function setupOf(options: Omit<DoctorOptions, "endpoint">, given: string | undefined): DoctorSetup {
  const target = targetText(given);
  const { distribution, kvs, url, role, project } = options;
  if ([target, distribution, kvs, url, role].every((source) => source === undefined)) {
    throw new UsageError(
      "there is nothing to check",
      "give the target s3://bucket, --distribution, --kvs, --url or --role: the others are skipped",
    );
  }
  const host = url === undefined ? undefined : serverUrl(url);
  return {
    ...bucketOf(target),
    ...(distribution !== undefined && { distribution }),
    ...(kvs !== undefined && { kvs }),
    ...(project !== undefined && { project }),
    ...(role !== undefined && { role: role.slice(role.lastIndexOf("/") + 1) }),
    ...(host !== undefined && { host }),
    ...(host?.startsWith("https:") && { plainHost: host.replace(/^https/, "http") }),
  };
}

function bucketOf(target: string | undefined): { bucket?: string; prefix: string } {
  if (target === undefined) return { prefix: "" };
  const { bucket, prefix } = parseTarget(target);
  return { bucket, prefix: prefix.replace(/\/$/, "") };
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
