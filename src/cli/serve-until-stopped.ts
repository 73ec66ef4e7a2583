import type { RequestListener } from "node:http";
import { urlPath } from "../documents/address.ts";
import { listen } from "../server/listen.ts";
import { andMore } from "../workspace/listed.ts";
import type { Remarks } from "./output/output.ts";
import { printLines } from "./output/print.ts";
import type { Results } from "./results.ts";
import { stopSignal } from "./stop-signal.ts";
import type { Given, LISTENING } from "./table/options.ts";

const MAX_PRINTED = 10;

/**
 * Serves until SIGINT or SIGTERM, then waits for pending requests. A second signal kills.
 *
 * @param started called when the server listens, with the addresses to print.
 * @param lost rejects when it cannot go on.
 */
export async function serveUntilStopped(
  handler: RequestListener,
  { host, port }: Pick<Given<typeof LISTENING>, "host" | "port">,
  output: Remarks,
  projectIds: readonly string[],
  started: (listening: Results["serve"], lines: readonly string[]) => void,
  {
    beforeStop = () => {},
    lost = new Promise(() => {}),
  }: { beforeStop?: () => void; lost?: Promise<never> } = {},
): Promise<void> {
  const server = await listen(handler, { host, port });
  const stop = stopSignal();
  const projects = projectIds.map((id) => server.url + urlPath({ kind: "project", projectId: id }));
  const lines = projects.slice(0, MAX_PRINTED);
  if (projects.length > MAX_PRINTED) lines.push(`…${andMore(projects.length - MAX_PRINTED)}`);
  started({ listening: server.url, baseUrl: `${server.url}/api/v1`, projects }, lines);
  try {
    await Promise.race([stop, lost]);
  } finally {
    output.note("stopping");
    beforeStop();
    await server.stop();
  }
}

/** Prints an error of the server itself; the client gets a 500 without its message. */
export function reportDefect(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  printLines(process.stderr, [`error: a request failed: ${message}`]);
}
