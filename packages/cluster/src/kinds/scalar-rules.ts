/** What is wrong with a value, in the API server's words; empty if nothing is. */
export type Problems = readonly string[];

/** Checks the number of a port. */
export function portNumberProblems(port: number): Problems {
  return rangeProblems(port, 1, 65535);
}

/** Checks the name of a port, as IANA registers them. */
export function portNameProblems(name: string): Problems {
  const problems: string[] = [];
  if (Buffer.byteLength(name) > 15) problems.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(name)) problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}

/** Checks the name of an environment variable. */
export function envVarNameProblems(name: string): Problems {
  if (name === "") return ["environment variable name must be non-empty"];
  if (/^[ -<>-~]*$/.test(name)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** Checks the key of a ConfigMap or Secret, which may become the name of a file. */
export function configKeyProblems(key: string): Problems {
  const problems: string[] = [];
  if (Buffer.byteLength(key) > 253) problems.push("must be no more than 253 characters");
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    problems.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

/** Checks the name of an HTTP header. */
export function headerNameProblems(name: string): Problems {
  if (/^[-A-Za-z0-9]+$/.test(name)) return [];
  const rule = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return [`${rule} (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`];
}

/** Checks the id of a user or a group. */
export function idProblems(id: number): Problems {
  return rangeProblems(id, 0, largestInt32);
}

/** Checks that a number is within bounds. */
export function rangeProblems(value: number, least: number, most: number): Problems {
  return value >= least && value <= most ? [] : [`must be between ${least} and ${most}, inclusive`];
}

/** The largest number that 32 bits hold with a sign. */
export const largestInt32: number = 2 ** 31 - 1;
