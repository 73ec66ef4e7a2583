import { Command } from "commander";
import { cdnDoctorCommand } from "./cdn-doctor.ts";
import { functionCommand } from "./cdn-function.ts";
import { nginxCommand } from "./cdn-nginx.ts";
import { cdnTemplateCommand } from "./cdn-template.ts";
import { cdnTokensCommand } from "./cdn-tokens.ts";

export const cdnCommand = new Command("cdn")
  .exitOverride()
  .addHelpText("after", "\nExample:\n  $ svc cdn function > edge-function.js")
  .addCommand(functionCommand)
  .addCommand(cdnTemplateCommand)
  .addCommand(cdnTokensCommand)
  .addCommand(cdnDoctorCommand)
  .addCommand(nginxCommand);
