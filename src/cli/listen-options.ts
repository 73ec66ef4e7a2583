import { type Command, InvalidArgumentError } from "commander";

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

export function withListening(to: Command): Command {
  return to
    .option("--host <host>", "the address to listen on", toHost, "127.0.0.1")
    .option("--port <port>", "the port to listen on; 0 picks a free one", toPort, 4400);
}

/** Refuses an empty host, for which Node would listen on every address. */
function toHost(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("a host is a name or an address; 0.0.0.0 is every address");
}

export function withAllowedHosts(to: Command): Command {
  return to.option(
    "--allow-host <name>",
    "a host name that requests may use, besides IP addresses and localhost (repeatable)",
    addHostName,
  );
}

function addHostName(text: string, others: readonly string[] = []): string[] {
  if (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text)) return [...others, text];
  throw new InvalidArgumentError("must be a host name, without scheme and port");
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new InvalidArgumentError("a port is a number from 0 to 65535");
}
