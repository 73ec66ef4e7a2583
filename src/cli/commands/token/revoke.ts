import { withStore } from "../../../store/with-store.ts";
import { SvcError } from "../../../workspace/errors.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../../command.ts";

export const tokenRevoke = withWorkspace(
  command("revoke", ["svc token revoke tok_0123456789ab"]).description(
    "Revoke a preview token, effective immediately.",
  ),
)
  .argument("<id>", "the token's id, as listed by svc token list")
  .action(
    action<WorkspaceOptions>(async (output, { store: file, workspace }, id = "") => {
      await withStore(file, (store) =>
        store.write(() => {
          const { number, id: workspaceId } = store.workspace(workspace);
          if (store.tokens.revoke(number, id)) return;
          // A token given instead of its id is a secret.
          const shown = id.startsWith("svc_") ? "svc_…" : id;
          throw new SvcError(
            "token-not-found",
            `workspace "${workspaceId}" has no token with the id "${shown}"`,
            { hint: "svc token list lists the ids (the id is not the token itself)" },
          );
        }),
      );
      output.result({ revoked: id }, `revoked ${id}`);
      return 0;
    }),
  );
