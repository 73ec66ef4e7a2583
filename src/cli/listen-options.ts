import type { RequestListener } from "node:http";
import { type Command, InvalidArgumentError } from "commander";
import { urlPath } from "../documents/address.ts";
import { listen } from "../server/listen.ts";
import type { Output } from "./output.ts";
import { stopped } from "./stopped.ts";

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/** Adds `--host` and `--port`. */
export function withListening(given: Command): Command {
  return given
    .option("--host <host>", "the address to listen on", toHost, "127.0.0.1")
    .option("--port <port>", "the port to listen on; 0 takes a free one", toPort, 4400);
}

/** Node takes an empty host for every address of the machine. */
function toHost(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("a host is a name or an address; 0.0.0.0 is every address");
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new InvalidArgumentError("a port is a number from 0 to 65535");
}

/** How many projects are listed at the start. */
const SHOWN = 10;

/** Serves until SIGINT or SIGTERM, then lets requests under way end. A second signal kills. */
export async function serveUntilStopped(
  handler: RequestListener,
  { host, port }: ListenOptions,
  output: Output,
  projectIds: readonly string[],
  remark: string,
): Promise<void> {
  const server = await listen(handler, { host, port });
  const stop = stopped();
  const baseUrl = `${server.url}/api/v1`;
  const projects = projectIds.map((id) => server.url + urlPath({ kind: "project", projectId: id }));
  const shown = projects.slice(0, SHOWN);
  if (projects.length > SHOWN) shown.push(`… and ${projects.length - SHOWN} more`);
  output.result({ listening: server.url, baseUrl, projects }, shown.join("\n") || baseUrl);
  output.note(remark);
  await stop;
  output.note("stopping");
  await server.stop();
}

/** Tells a failure of the server itself, of which the client hears only that there was one. */
export function onDefect(error: unknown): void {
  const told = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: a request failed: ${told}\n`);
}
