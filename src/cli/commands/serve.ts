import { publishedProjects } from "../../publish/manifest.ts";
import { apiHandler } from "../../server/api-handler.ts";
import { PublishedFiles } from "../../server/published-files.ts";
import { reportDefect, serveUntilStopped } from "../serve-until-stopped.ts";
import type { Run } from "../table/table.ts";

export const serve: Run<"serve"> = async (output, options) => {
  const projectIds = publishedProjects(options.out);
  const handler = apiHandler(new PublishedFiles(options.out), undefined, reportDefect);
  await serveUntilStopped(handler, options, output, projectIds, (listening, lines) => {
    output.result(listening, lines.length === 0 ? listening.baseUrl : lines);
    output.note(`serving ${options.out}`);
  });
};
