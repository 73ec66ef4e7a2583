import { type CommandRow, plain, type Row, SHARED } from "../table/options.ts";
import { type CommandName, commandsBelow, type Run, TABLE, takenBy } from "../table/table.ts";

type Shell = "bash" | "zsh" | "fish";

export const completion: Run<"completion"> = async (output, { shell }) => {
  const script = completionScript(shell);
  output.file({ script }, script);
};

/** The script with which a shell completes commands and options, and files for everything else. */
function completionScript(shell: Shell): string {
  if (shell === "fish") return fishScript();
  const script = bashScript();
  return shell === "bash" ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}

/** Every command by its words, from the first on: "svc deploy list". */
const COMMANDS = Object.keys(TABLE).map((words) => `svc ${words}`);

function bashScript(): string {
  const lists = ["svc", ...COMMANDS].map((words) => {
    const names = [...namesBelow(words), ...optionsOf(words).map(({ long }) => long)];
    return `    "${words}") list="${names.join(" ")}" ;;`;
  });
  return `_svc() {
  local command=svc list="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
    ${COMMANDS.map((words) => `"${words}"`).join("|")}) command="$command \${COMP_WORDS[i]}" ;;
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

function fishScript(): string {
  const lines = ["svc", ...COMMANDS].flatMap((words) => {
    const at = `complete -c svc -n '__svc_at ${words}'`;
    return [
      ...namesBelow(words).map((name) => {
        const inner = `${words} ${name}`.slice("svc ".length) as CommandName;
        return `${at} -f -a ${name} -d ${fishText(TABLE[inner].summary)}`;
      }),
      ...optionsOf(words).map(({ long, takesText, words: what }) => {
        const takes = takesText ? " -r" : "";
        return `${at} -l ${long.slice("--".length)}${takes} -d ${fishText(what)}`;
      }),
    ];
  });
  return `function __svc_at
    set -l command svc
    for word in (commandline -opc)[2..-1]
        contains -- "$command $word" ${COMMANDS.map(fishText).join(" ")}; and set command "$command $word"
    end
    test "$command" = "$argv"
end
${lines.join("\n")}
`;
}

function namesBelow(words: string): string[] {
  if (words === "svc") return Object.keys(TABLE).filter((name) => !name.includes(" "));
  return commandsBelow(words.slice("svc ".length)).map((one) => one.split(" ")[1] ?? "");
}

function optionsOf(words: string) {
  const name = words.slice("svc ".length) as CommandName;
  const help = { long: "--help", takesText: false, words: "display help for command" };
  if (words === "svc") {
    return [{ long: "--version", takesText: false, words: "output the version number" }, help];
  }
  const { isGroup }: CommandRow = TABLE[name];
  if (isGroup) return [help];
  const rows = [...Object.entries<Row>(SHARED), ...takenBy(name)].flatMap(([flags, row]) => {
    const [words] = typeof row === "string" ? [row] : row;
    const [long] = /--[\w-]+/.exec(flags) ?? [];
    if (long === undefined || long === "--debug") return [];
    return [{ long, takesText: flags.includes("<"), words: plain(words) }];
  });
  return [...rows, help];
}

function fishText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
