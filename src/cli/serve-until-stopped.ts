import type { RequestListener } from "node:http";
import { urlPath } from "../documents/address.ts";
import { listen } from "../server/listen.ts";
import type { ListenOptions } from "./listen-options.ts";
import type { Output } from "./output/output.ts";
import { stopSignal } from "./stop-signal.ts";

/** How many project URLs are printed at the start. */
const MAX_PRINTED = 10;

/** The preview page, and what goes with it. */
interface Page {
  readonly pagePath?: string;
  /** Gets the link of the page, which has been printed. */
  readonly afterStart?: (page: string) => void;
  readonly beforeStop?: () => void;
}

/** Serves until SIGINT or SIGTERM, then waits for pending requests. A second signal kills. */
export async function serveUntilStopped(
  handler: RequestListener,
  { host, port }: ListenOptions,
  output: Output,
  projectIds: readonly string[],
  note: string,
  { pagePath = "", afterStart = () => {}, beforeStop = () => {} }: Page = {},
): Promise<void> {
  const server = await listen(handler, { host, port });
  const stop = stopSignal();
  const baseUrl = `${server.url}/api/v1`;
  const projects = projectIds.map((id) => server.url + urlPath({ kind: "project", projectId: id }));
  const lines = projects.slice(0, MAX_PRINTED);
  if (projects.length > MAX_PRINTED) lines.push(`… and ${projects.length - MAX_PRINTED} more`);
  const page = server.url + pagePath;
  const hasPage = pagePath !== "";
  if (hasPage) lines.unshift(page);
  output.result(
    { listening: server.url, ...(hasPage && { page }), baseUrl, projects },
    lines.join("\n") || baseUrl,
  );
  output.note(note);
  afterStart(page);
  await stop;
  output.note("stopping");
  beforeStop();
  await server.stop();
}

/** Prints an error of the server itself; the client gets a 500 without its message. */
export function reportDefect(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: a request failed: ${message}\n`);
}
