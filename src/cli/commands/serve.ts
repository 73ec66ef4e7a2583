import { publishedProjects } from "../../publish/manifest.ts";
import { apiHandler } from "../../server/api-handler.ts";
import { PublishedFiles } from "../../server/published-files.ts";
import { action, command, type SharedOptions, withOut } from "../command.ts";
import { type ListenOptions, withListening } from "../listen-options.ts";
import { reportDefect, serveUntilStopped } from "../serve-until-stopped.ts";

interface ServeOptions extends SharedOptions, ListenOptions {
  readonly out: string;
}

export const serveCommand = withListening(
  withOut(command("serve", ["svc serve --port 4400"])),
).action(
  action<ServeOptions>(async (output, options) => {
    const projectIds = publishedProjects(options.out);
    const handler = apiHandler(new PublishedFiles(options.out), undefined, reportDefect);
    await serveUntilStopped(handler, options, output, projectIds, `serving ${options.out}`);
    return 0;
  }),
);
