import { Option } from "commander";
import { templateDocument, templateYaml } from "../../../deploy/edge/template.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command, type SharedOptions } from "../../command.ts";

interface TemplateCommandOptions extends SharedOptions {
  readonly kvs: boolean;
  readonly preview?: boolean;
  readonly format: "yaml" | "json";
}

export const cdnTemplateCommand = command("template", [
  "svc cdn template > template.yaml",
  "svc cdn template --no-kvs --format json > template.json",
])
  .description("Print a CloudFormation template: bucket, distribution, functions, deploy role.")
  .option("--no-kvs", "for deploys in place: without a KeyValueStore and releases")
  .option("--preview", "with an origin for previews, whose host is a parameter")
  .addOption(
    new Option("--format <format>", "the format").choices(["yaml", "json"]).default("yaml"),
  )
  .action(
    action<TemplateCommandOptions>(async (output, { kvs, preview = false, format }) => {
      if (preview && !kvs) {
        throw new UsageError(
          "--preview and --no-kvs exclude each other",
          "preview tokens are kept in the KeyValueStore: leave one of the two out",
        );
      }
      const document = templateDocument({ kvs, preview });
      const yaml = templateYaml({ kvs, preview }).trimEnd();
      // --json prints the template itself, on one line.
      output.result(document, format === "json" ? JSON.stringify(document, undefined, 2) : yaml);
      return 0;
    }),
  );
