import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { nginxConfig } from "../../../deploy/edge/nginx.ts";
import { action, command, notEmpty, type SharedOptions, withOut } from "../../command.ts";
import { printText } from "../../output/print-text.ts";

interface NginxOptions extends SharedOptions {
  readonly out: string;
  readonly port: number;
  readonly serverName?: string;
  readonly preview?: string;
}

function toPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65535) return port;
  throw new InvalidArgumentError("a port is a number from 1 to 65535");
}

export const nginxCommand = withOut(
  command("nginx", [
    "svc cdn nginx --out /srv/shop/out > /etc/nginx/conf.d/shop.conf",
    "svc cdn nginx --out /srv/shop/out --preview http://127.0.0.1:4400",
  ]),
)
  .description("Print a configuration for a plain nginx in front of the published files.")
  .option("--port <port>", "the port to listen on", toPort, 80)
  .option("--server-name <names>", "the host names to serve (default: any)", notEmpty)
  .option("--preview <url>", "the svc preview that answers requests with a token", notEmpty)
  .action(
    action<NginxOptions>(async (output, { out, port, serverName, preview }) => {
      const text = nginxConfig({
        out: resolve(out),
        port,
        ...(serverName !== undefined && { serverName }),
        ...(preview !== undefined && { preview }),
      });
      printText(output, text);
      return 0;
    }),
  );
