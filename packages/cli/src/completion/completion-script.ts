/** A command as far as completing it goes. */
export interface CompletedCommand {
  /** One word or two. */
  readonly name: string;
  readonly summary: string;
  /** Its options, without dashes. */
  readonly options: readonly string[];
}

/** A shell that words can be completed in. */
export type Shell = "bash" | "fish" | "zsh";

/** The script that makes a shell complete the words of the program. */
export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case "bash":
      return bashScript(commands);
    case "zsh":
      return `autoload -Uz bashcompinit && bashcompinit\n${bashScript(commands)}`;
    case "fish":
      return fishScript(commands);
  }
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const firsts = [...new Set(commands.map(({ name }) => name.split(" ", 1)[0]))];
  const seconds = Map.groupBy(
    commands.filter(({ name }) => name.includes(" ")),
    ({ name }) => name.split(" ", 1)[0] ?? "",
  );
  const choices = [...seconds].map(
    ([first, entries]) => `    "${first} ") words="${entries.map(({ name }) => name.split(" ")[1]).join(" ")}" ;;\n`,
  );
  const options = commands.map(({ name, options: names }) => {
    const pattern = name.includes(" ") ? `"${name}"` : `"${name} "*`;
    return `    ${pattern}) words="${[...names, "help", "verbose"].map((each) => `--${each}`).join(" ")}" ;;\n`;
  });
  return `_kaji() {
  local words="" typed="\${COMP_WORDS[COMP_CWORD]}" second=""
  [[ $COMP_CWORD -gt 2 ]] && second="\${COMP_WORDS[2]}"
  case "\${COMP_WORDS[1]} $second" in
${choices.join("")}${options.join("")}  esac
  [[ $COMP_CWORD -eq 1 ]] && words="${firsts.join(" ")} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
}
complete -o default -F _kaji kaji
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => {
    const [first = "", second] = name.split(" ");
    const seen =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const offered =
      second === undefined
        ? [`complete -c kaji -f -n __fish_use_subcommand -a ${first} -d ${quoted(summary)}`]
        : [
            `complete -c kaji -f -n __fish_use_subcommand -a ${first}`,
            `complete -c kaji -f -n ${quoted(`__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}`)} -a ${second} -d ${quoted(summary)}`,
          ];
    return [...offered, ...options.map((option) => `complete -c kaji -n ${quoted(seen)} -l ${option}`)];
  });
  return `${[...new Set(lines)].join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
