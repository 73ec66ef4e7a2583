import { applyPointerUpdate, planTokens } from "../../../deploy/releases/pointers.ts";
import { withStore } from "../../../store/with-store.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../../command.ts";
import { kvsOption } from "../../deploy/target-options.ts";
import { counted } from "../../output/counted.ts";

interface TokensOptions extends WorkspaceOptions {
  readonly kvs?: string;
}

export const cdnTokensCommand = withWorkspace(
  command("tokens", ["svc cdn tokens --kvs <arn>"]).description(
    "Write the hashes and expiry times of a workspace's preview tokens to the KeyValueStore.",
  ),
)
  .addOption(kvsOption())
  .action(
    action<TokensOptions>(async (output, { store: file, workspace, kvs }) => {
      if (kvs === undefined) {
        throw new UsageError(
          "--kvs is missing",
          "give the ARN of the edge function's KeyValueStore",
        );
      }
      // Imported only here: loading the client takes longer than a usage error or help.
      const { openKeyValueStore } = await import(
        "../../../deploy/aws/cloudfront-key-value-store.ts"
      );
      const edge = openKeyValueStore(kvs, { signal: new AbortController().signal });
      const { tokens, projectIds } = await withStore(file, (store) =>
        store.read(() => {
          const found = store.workspace(workspace);
          const projectIds = store.draft(found).projects.map(({ id }) => id);
          return { tokens: store.tokens.valid(found.number, new Date()), projectIds };
        }),
      );
      const state = await edge.read();
      const changes = planTokens(state, tokens, projectIds);
      await applyPointerUpdate(edge, state, changes);
      const added = changes.filter(({ after }) => after !== undefined).length;
      const removed = changes.length - added;
      const value = { tokens: tokens.length, projects: projectIds, added, removed };
      const text = `${counted(tokens.length, "token")} for ${counted(projectIds.length, "project")}`;
      output.result(value, `${text}: ${added} keys added, ${removed} removed`);
      return 0;
    }),
  );
