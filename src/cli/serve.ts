import { action, command, type SharedOptions, withOut } from "./command.ts";
import {
  type ListenOptions,
  onDefect,
  serveUntilStopped,
  withListening,
} from "./listen-options.ts";

interface ServeOptions extends SharedOptions, ListenOptions {
  readonly out: string;
}

export const serve = withListening(
  withOut(command("serve", "Serve the published files.", ["svc serve --port 4400"])),
).action(
  action<ServeOptions>(async (output, options) => {
    const { apiHandler } = await import("../server/handler.ts");
    const { PublishedFiles } = await import("../server/published.ts");
    const { existsSync } = await import("node:fs");
    if (!existsSync(options.out)) {
      const { SvcError } = await import("../workspace/errors.ts");
      throw new SvcError("out-not-found", `there is no folder "${options.out}"`, {
        hint: "svc publish writes it; --out names another",
      });
    }
    const handler = apiHandler(new PublishedFiles(options.out), undefined, onDefect);
    const describe = (baseUrl: string) =>
      `serving ${options.out} at ${baseUrl}/projects/<projectId>`;
    await serveUntilStopped(handler, options, output, describe);
    return 0;
  }),
);
