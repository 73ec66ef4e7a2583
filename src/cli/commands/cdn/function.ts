import { InvalidArgumentError } from "commander";
import { printRequestFunction } from "../../../deploy/edge/functions.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command, type SharedOptions } from "../../command.ts";
import { printText } from "../../output/print-text.ts";

interface FunctionOptions extends SharedOptions {
  readonly kvs: boolean;
  readonly previewOrigin?: string;
}

/** CloudFront's own limits for the id of an origin. */
function toOriginId(text: string): string {
  if (/^[\w.-]{1,128}$/.test(text)) return text;
  throw new InvalidArgumentError("an origin's id has 1 to 128 letters, digits, '_', '-' or '.'");
}

export const functionCommand = command("function", [
  "svc cdn function > edge-function.js",
  "svc cdn function --no-kvs > edge-function.js",
])
  .description("Print the CloudFront Function for requests to the bucket.")
  .option("--no-kvs", "for a bucket deployed in place, without a KeyValueStore and previews")
  .option(
    "--preview-origin <id>",
    "the id of the distribution's origin for previews (default: preview)",
    toOriginId,
  )
  .action(
    action<FunctionOptions>(async (output, { kvs, previewOrigin }) => {
      if (!kvs && previewOrigin !== undefined) {
        throw new UsageError(
          "--preview-origin and --no-kvs exclude each other",
          "preview tokens are kept in the KeyValueStore: leave one of the two out",
        );
      }
      const preview = previewOrigin === undefined ? {} : { preview: previewOrigin };
      printText(output, printRequestFunction({ kvs, ...preview }));
      return 0;
    }),
  );
