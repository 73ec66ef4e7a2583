import { Option } from "commander";
import { cloudFormationTemplate } from "../../../deploy/edge/cloudformation/template.ts";
import { templateJson, templateYaml } from "../../../deploy/edge/cloudformation/template-text.ts";
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
      const template = cloudFormationTemplate({ kvs, preview });
      const text = format === "json" ? templateJson(template) : templateYaml(template);
      // --json prints the template itself, on one line.
      output.result(template.document, text.trimEnd());
      return 0;
    }),
  );
