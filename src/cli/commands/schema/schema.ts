import { Command } from "commander";
import { schemaFolder } from "./folder.ts";

export const schemaCommand = new Command("schema")
  .addHelpText("after", "\nExample:\n  $ svc schema folder content")
  .addCommand(schemaFolder);
