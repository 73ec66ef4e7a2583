import type { RequestListener } from "node:http";
import { type Command, InvalidArgumentError } from "commander";
import { urlPath } from "../documents/address.ts";
import { listen } from "../server/listen.ts";
import type { Output } from "./output/output.ts";
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

/** Adds `--allow-host`, which may be given several times. */
export function withAllowedHosts(given: Command): Command {
  return given.option(
    "--allow-host <name>",
    "a name by which requests may reach the preview, beside IP addresses and localhost (repeatable)",
    addHostName,
    [],
  );
}

function addHostName(text: string, others: readonly string[]): string[] {
  if (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text)) return [...others, text];
  throw new InvalidArgumentError("a host's name is expected, without scheme and port");
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
  { pagePath, beforeStop = () => {} }: { pagePath?: string; beforeStop?: () => void } = {},
): Promise<void> {
  const server = await listen(handler, { host, port });
  const stop = stopped();
  const baseUrl = `${server.url}/api/v1`;
  const projects = projectIds.map((id) => server.url + urlPath({ kind: "project", projectId: id }));
  const shown = projects.slice(0, SHOWN);
  if (projects.length > SHOWN) shown.push(`… and ${projects.length - SHOWN} more`);
  const page = pagePath === undefined ? {} : { page: server.url + pagePath };
  const lines = [...(page.page === undefined ? [] : [page.page]), ...shown];
  output.result({ listening: server.url, ...page, baseUrl, projects }, lines.join("\n") || baseUrl);
  output.note(remark);
  await stop;
  output.note("stopping");
  beforeStop();
  await server.stop();
}

/** Tells a failure of the server itself, of which the client hears only that there was one. */
export function onDefect(error: unknown): void {
  const told = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: a request failed: ${told}\n`);
}
