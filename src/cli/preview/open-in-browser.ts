import { spawn } from "node:child_process";

/** What opens a link, by platform; others have xdg-open. */
const COMMANDS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  // `start` would need a shell, to which parts of the link are syntax.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a link in the browser, without waiting for it. */
export function openInBrowser(link: string, failed: (message: string) => void): void {
  const [command, ...args] = COMMANDS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
  child.on("error", ({ message }) => failed(message));
  child.on("exit", (status) => {
    if (status !== 0) failed(`${command} ended with status ${status}`);
  });
  child.unref();
}
