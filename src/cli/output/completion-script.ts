import type { Command } from "commander";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * The script with which a shell completes commands and options, and files for everything else.
 *
 * @param tree every command by its words: "svc deploy list".
 */
export function completionScript(shell: Shell, tree: ReadonlyMap<string, Command>): string {
  if (shell === "fish") return fishScript(tree);
  const script = bashScript(tree);
  return shell === "bash" ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

function bashScript(tree: ReadonlyMap<string, Command>): string {
  const inner = [...tree.keys()].filter((words) => words !== "svc").map((words) => `"${words}"`);
  const lists = [...tree].map(([words, one]) => {
    const options = optionsOf(one).map(({ long }) => long);
    return `    "${words}") list="${[...namesBelow(one), ...options].join(" ")}" ;;`;
  });
  return `_svc() {
  local command=svc list="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
    ${inner.join("|")}) command="$command \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command" in
${lists.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$list" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _svc svc
`;
}

function fishScript(tree: ReadonlyMap<string, Command>): string {
  const lines = [...tree].flatMap(([words, one]) => {
    const at = `complete -c svc -n '__svc_at ${words}'`;
    return [
      ...one.commands.map(
        (inner) => `${at} -f -a ${inner.name()} -d ${fishText(inner.description())}`,
      ),
      ...optionsOf(one).map(({ long, isFlag, description }) => {
        const takes = isFlag ? "" : " -r";
        return `${at} -l ${long.slice("--".length)}${takes} -d ${fishText(description)}`;
      }),
    ];
  });
  const inner = [...tree.keys()].filter((words) => words !== "svc").map(fishText);
  return `function __svc_at
    set -l command svc
    for word in (commandline -opc)[2..-1]
        contains -- "$command $word" ${inner.join(" ")}; and set command "$command $word"
    end
    test "$command" = "$argv"
end
${lines.join("\n")}
`;
}

function namesBelow(command: Command): string[] {
  return command.commands.map((inner) => inner.name());
}

function optionsOf(command: Command) {
  const shown = command.options.flatMap(({ long, hidden, required, optional, description }) =>
    hidden || !long ? [] : [{ long, isFlag: !required && !optional, description }],
  );
  return [...shown, { long: "--help", isFlag: true, description: "display help for command" }];
}

function fishText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
