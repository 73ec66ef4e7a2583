import { withStore } from "../../store/with-store.ts";
import { SvcError } from "../../workspace/errors.ts";
import { counted } from "../output/words.ts";
import type { Run } from "../table/table.ts";

export const createToken: Run<"token create"> = async (
  output,
  { store: file, workspace, name, expires },
) => {
  const { token, record } = await withStore(file, (store) =>
    store.write(() => {
      const createdAt = new Date();
      // Infinity: it never expires.
      const expiresAt = Number.isFinite(expires) ? new Date(+createdAt + expires) : undefined;
      const { number } = store.workspace(workspace);
      return store.tokens.create(number, { name, createdAt, expiresAt });
    }),
  );
  output.result({ token, ...record }, token);
  const until = record.expiresAt === null ? "forever" : `until ${record.expiresAt}`;
  output.note(`token ${record.id} is valid ${until}; it will not be shown again`);
};

export const listTokens: Run<"token list"> = async (output, { store: file, workspace }) => {
  const tokens = await withStore(file, (store) =>
    store.read(() => store.tokens.list(store.workspace(workspace).number)),
  );
  const now = Date.now();
  const stateOf = (expiresAt: string | null) => {
    if (expiresAt === null) return "never expires";
    return Date.parse(expiresAt) > now ? `until ${expiresAt}` : "expired";
  };
  const lines = tokens.map(({ id, name, expiresAt }) => `${id}  ${stateOf(expiresAt)}  ${name}`);
  output.result({ tokens }, [...lines, counted(tokens.length, "token")]);
};

export const revokeToken: Run<"token revoke"> = async (output, { store: file, workspace, id }) => {
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
};
