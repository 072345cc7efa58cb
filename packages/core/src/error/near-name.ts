/** The name that was meant by a word: the first of those that it is but for one character that is wrong, missing, too many, or in the place of the next. */
export function nearName(word: string, names: Iterable<string>): string | undefined {
  for (const name of names) if (isNearly(word, name)) return name;
  return undefined;
}

function isNearly(word: string, name: string): boolean {
  let start = 0;
  while (start < name.length && word[start] === name[start]) start++;
  let end = 0;
  while (end < name.length - start && end < word.length - start && word.at(-1 - end) === name.at(-1 - end)) end++;
  const [ours, theirs] = [word.slice(start, word.length - end), name.slice(start, name.length - end)];
  const isSwapped = ours.length === 2 && ours === [...theirs].toReversed().join("");
  return isSwapped || (Math.max(ours.length, theirs.length) === 1 && name.length > 2);
}
