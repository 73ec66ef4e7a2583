import { Command } from "commander";
import { tokenCreate } from "./create.ts";
import { tokenList } from "./list.ts";
import { tokenRevoke } from "./revoke.ts";

export const tokenCommand = new Command("token")
  .addHelpText("after", "\nExample:\n  $ svc token create --name alice")
  .addCommand(tokenCreate)
  .addCommand(tokenList)
  .addCommand(tokenRevoke);
