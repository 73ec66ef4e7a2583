import { InvalidArgumentError, Option } from "commander";
import { withStore } from "../../../store/with-store.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../../command.ts";

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

export const tokenCreate = withWorkspace(
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
