/** What a part of a line of YAML is. */
export interface YamlPart {
  readonly type: "Key" | "Text";
  readonly text: string;
}

/** A line cut into its key and the rest; what is in a block of text may look like a key, and is none the worse for it. */
export function yamlParts(line: string): readonly YamlPart[] {
  const [, indent = "", key, rest = ""] = /^( *(?:- +)*)("(?:[^"\\]|\\.)*"|[\w./$][\w./$-]*)(:(?: .*)?)$/.exec(line) ?? [];
  if (key === undefined) return [{ type: "Text", text: line }];
  return [
    { type: "Text", text: indent },
    { type: "Key", text: key },
    { type: "Text", text: rest },
  ];
}
