/** Replaces `$(NAME)` by the variable's value; `$$` stands for a dollar sign, and what is no variable stays as it is. */
export function expandVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$(?:\$|\(([^()]*)\))/g, (found, name: string | undefined) => {
    if (name === undefined) return "$";
    return variables.get(name) ?? found;
  });
}
