import { Command } from "commander";
import { cdnDoctorCommand } from "./doctor.ts";
import { functionCommand } from "./function.ts";
import { nginxCommand } from "./nginx.ts";
import { cdnTemplateCommand } from "./template.ts";
import { cdnTokensCommand } from "./tokens.ts";

export const cdnCommand = new Command("cdn")
  .addHelpText("after", "\nExample:\n  $ svc cdn function > edge-function.js")
  .addCommand(functionCommand)
  .addCommand(cdnTemplateCommand)
  .addCommand(cdnTokensCommand)
  .addCommand(cdnDoctorCommand)
  .addCommand(nginxCommand);
