import { withStore } from "../../store/with-store.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { counted } from "../output/counted.ts";
import { styled } from "../output/styled.ts";

interface VersionsOptions extends WorkspaceOptions {
  readonly journal?: boolean;
}

export const versionsCommand = withWorkspace(
  command("versions", ["svc versions", "svc versions --journal"]),
)
  .option("--journal", "print instead when each version became current")
  .action(
    action<VersionsOptions>(async (output, options) => {
      const { id, current, versions, journal } = await withStore(options.store, (store) =>
        store.read(() => {
          const { number, id } = store.workspace(options.workspace);
          const current = store.history.current(number) ?? null;
          const versions = store.history.list(number);
          return { id, current, versions, journal: store.history.journal(number) };
        }),
      );
      const lines = options.journal
        ? journal.map(({ at, action, from, to }) =>
            [at, action.padEnd(9), `${from ?? "nothing".padEnd(to.length)} → ${to}`].join("  "),
          )
        : versions.map(({ versionId, publishedAt }) => {
            const isCurrent = versionId === current;
            const line = `${isCurrent ? "*" : " "} ${versionId}  ${publishedAt}`;
            return isCurrent ? styled("green", `${line}  current`, process.stdout) : line;
          });
      const counts = options.journal
        ? counted(journal.length, "change")
        : counted(versions.length, "version");
      output.result(
        { workspaceId: id, current, versions, journal },
        [...lines, `"${id}": ${counts}`].join("\n"),
      );
      return 0;
    }),
  );
