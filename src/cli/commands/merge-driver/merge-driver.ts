import { Command } from "commander";
import { mergeDriverInstall } from "./install.ts";
import { mergeDriverRun } from "./run.ts";

export const mergeDriverCommand = new Command("merge-driver")
  .addHelpText("after", "\nExample:\n  $ svc merge-driver install content")
  .addCommand(mergeDriverInstall)
  .addCommand(mergeDriverRun);
