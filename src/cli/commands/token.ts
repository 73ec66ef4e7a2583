import { Command, InvalidArgumentError, Option } from "commander";
import { withStore } from "../../store/with-store.ts";
import { SvcError } from "../../workspace/errors.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { counted } from "../output/counted.ts";

interface CreateOptions extends WorkspaceOptions {
  readonly name: string;
  /** Milliseconds from now; Infinity for a token that never expires. */
  readonly expires: number;
}

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Ten years. */
const MAX_DURATION = 3650 * 86_400_000;

function toDuration(text: string): number {
  // Not null, which commander takes for a missing value.
  if (text === "never") return Number.POSITIVE_INFINITY;
  const [, amount, unit = ""] = /^([1-9]\d*)([mhdw])$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (milliseconds <= MAX_DURATION) return milliseconds;
  throw new InvalidArgumentError(
    "must be a number followed by m, h, d or w, at most ten years (7d), or never",
  );
}

const create = withWorkspace(
  command("create", ["TOKEN=$(svc token create --quiet --name alice --expires 30d)"]).description(
    "Create a preview token for a workspace. It is printed only once.",
  ),
)
  .option("--name <name>", "who or what uses the token", "token")
  .addOption(
    new Option("--expires <time>", "how long it is valid: 90m, 12h, 7d, 4w, or never")
      .argParser(toDuration)
      .default(toDuration("7d"), "7d"),
  )
  .action(
    action<CreateOptions>(async (output, { store: file, workspace, name, expires }) => {
      const { token, record } = await withStore(file, (store) =>
        store.write(() => {
          const createdAt = new Date();
          const expiresAt = Number.isFinite(expires) ? new Date(+createdAt + expires) : undefined;
          const { number } = store.workspace(workspace);
          return store.tokens.create(number, { name, createdAt, expiresAt });
        }),
      );
      output.result({ token, ...record }, token);
      const until = record.expiresAt === null ? "forever" : `until ${record.expiresAt}`;
      output.note(`token ${record.id} is valid ${until}; it will not be shown again`);
      return 0;
    }),
  );

const list = withWorkspace(
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

const revoke = withWorkspace(
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

export const tokenCommand = new Command("token")
  .addHelpText("after", "\nExample:\n  $ svc token create --name alice")
  .addCommand(create)
  .addCommand(list)
  .addCommand(revoke);
