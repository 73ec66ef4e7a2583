import { Command } from "commander";
import { storePull } from "./pull.ts";
import { storePush } from "./push.ts";

export const storeCommand = new Command("store")
  .addHelpText("after", "\nExample:\n  $ svc store pull s3://acme-store/workspace.db")
  .addCommand(storePull)
  .addCommand(storePush);
