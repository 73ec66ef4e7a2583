import { withStore } from "../../../store/with-store.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../../command.ts";
import { counted } from "../../output/counted.ts";

export const tokenList = withWorkspace(
  command("list", ["svc token list"]).description(
    "List the preview tokens of a workspace: their ids, not the tokens.",
  ),
).action(
  action<WorkspaceOptions>(async (output, { store: file, workspace }) => {
    const tokens = await withStore(file, (store) =>
      store.read(() => store.tokens.list(store.workspace(workspace).number)),
    );
    const now = Date.now();
    const lines = tokens.map(({ id, name, expiresAt }) => {
      const state =
        expiresAt === null
          ? "never expires"
          : Date.parse(expiresAt) > now
            ? `until ${expiresAt}`
            : "expired";
      return `${id}  ${state}  ${name}`;
    });
    output.result({ tokens }, [...lines, counted(tokens.length, "token")].join("\n"));
    return 0;
  }),
);
