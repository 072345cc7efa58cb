/** What is wrong with a text, in the API server's words; empty if nothing is. */
export type NameErrors = readonly string[];

const dns1123Label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dns1123Subdomain = `${dns1123Label}(\\.${dns1123Label})*`;
const dns1035Label = "[a-z]([-a-z0-9]*[a-z0-9])?";
const labelName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValue = `(${labelName})?`;

const dns1123LabelPattern = whole(dns1123Label);
const dns1123SubdomainPattern = whole(dns1123Subdomain);
const dns1035LabelPattern = whole(dns1035Label);
const labelNamePattern = whole(labelName);
const labelValuePattern = whole(labelValue);

/** Checks a DNS-1123 label, which the names of namespaces and containers must be. */
export function dns1123LabelErrors(value: string): NameErrors {
  const errors = byteLength(value) > 63 ? ["must be no more than 63 characters"] : [];
  if (dns1123LabelPattern.test(value)) return errors;
  if (dns1123SubdomainPattern.test(value)) return [...errors, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...errors, patternError(rule, dns1123Label, "my-name", "123-abc")];
}

/** Checks a DNS-1123 subdomain, which the names of most objects must be. */
export function dns1123SubdomainErrors(value: string): NameErrors {
  return subdomainErrors(value, "characters");
}

/** Checks a DNS-1035 label, which the names of services must be. */
export function dns1035LabelErrors(value: string): NameErrors {
  const errors = byteLength(value) > 63 ? ["must be no more than 63 characters"] : [];
  if (dns1035LabelPattern.test(value)) return errors;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...errors, patternError(rule, dns1035Label, "my-name", "abc-123")];
}

/** Checks a name with an optional DNS prefix, which the keys of labels and the names of finalizers must be. */
export function qualifiedNameErrors(value: string): NameErrors {
  const [first = "", second, ...rest] = value.split("/");
  if (rest.length > 0) {
    return [`a valid label key ${labelNameError()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const errors = second === undefined ? [] : prefixErrors(first);
  const name = second ?? first;
  if (name === "") errors.push("name part must be non-empty");
  else if (byteLength(name) > 63) errors.push("name part must be no more than 63 bytes");
  if (!labelNamePattern.test(name)) errors.push(`name part ${labelNameError()}`);
  return errors;
}

function labelNameError(): string {
  const rule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return patternError(rule, labelName, "MyName", "my.name", "123-abc");
}

/** Checks the value of a label. */
export function labelValueErrors(value: string): NameErrors {
  const errors = byteLength(value) > 63 ? ["must be no more than 63 bytes"] : [];
  if (labelValuePattern.test(value)) return errors;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...errors, patternError(rule, labelValue, "MyValue", "my_value", "12345")];
}

/** Checks the key of an annotation: a qualified name, in which case does not matter. */
export function annotationKeyErrors(key: string): NameErrors {
  // Go has this letter become an i; ECMAScript keeps its dot.
  return qualifiedNameErrors(key.replaceAll("\u0130", "i").toLowerCase());
}

/** Checks that a name can be a segment of a path, which every name of an object must be. */
export function pathSegmentErrors(name: string): NameErrors {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  if (!/[/%]/.test(name)) return [];
  return ["/", "%"].filter((forbidden) => name.includes(forbidden)).map((forbidden) => `may not contain '${forbidden}'`);
}

function prefixErrors(prefix: string): string[] {
  const errors = prefix === "" ? ["must be non-empty"] : subdomainErrors(prefix, "bytes");
  return errors.map((error) => `prefix part ${error}`);
}

/** Names are limited in `characters` and prefixes in `bytes`; the server counts bytes in both cases. */
function subdomainErrors(value: string, unit: "characters" | "bytes"): NameErrors {
  const errors = byteLength(value) > 253 ? [`must be no more than 253 ${unit}`] : [];
  if (dns1123SubdomainPattern.test(value)) return errors;
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...errors, patternError(rule, dns1123Subdomain, "example.com")];
}

function patternError(rule: string, pattern: string, ...examples: readonly string[]): string {
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(" or ")}regex used for validation is '${pattern}')`;
}

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
