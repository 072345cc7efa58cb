/** Words that CEL keeps for itself. */
const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** The name by which a field is selected in an expression, such as `my__dash__field`; undefined when there is none. */
export function escapeField(name: string): string | undefined {
  if (isReserved(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replaceAll(/__|[./-]/g, (part) => escapes[part] ?? part);
}

/** Whether a name is a word of CEL's own. After a dot most of them can be told to be names. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}
