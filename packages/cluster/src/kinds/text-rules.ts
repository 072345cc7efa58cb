import { dns1123LabelErrors, dns1123SubdomainErrors, invalidValue, required } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";

const subdomain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const wildcard = `\\*\\.${subdomain}`;
const wildcardPattern = new RegExp(`^${wildcard}$`);
const httpPath = String.raw`[A-Za-z0-9/\-._~%!$&'()*+,;=:]+`;
const httpPathPattern = new RegExp(`^${httpPath}$`);

/** Checks a share such as `25%`. */
export function percentErrors(text: string): readonly string[] {
  if (/^[0-9]+%$/.test(text)) return [];
  return [
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
  ];
}

/** Checks a DNS name with a star in front. */
export function wildcardSubdomainErrors(name: string): readonly string[] {
  const errors = name.length > 253 ? ["must be no more than 253 characters"] : [];
  if (wildcardPattern.test(name)) return errors;
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return [...errors, `${rule} (e.g. '*.example.com', regex used for validation is '${wildcard}')`];
}

/** Checks a name such as `example.com/controller`. */
export function validateDomainPrefixedPath(path: FieldPath, value: string): readonly FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  const [domain, rest] = [value.slice(0, Math.max(0, slash)), value.slice(slash + 1)];
  if (domain === "" || rest === "") return [invalidValue(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = dns1123SubdomainErrors(domain).map((rule) => invalidValue(path, domain, rule));
  if (!httpPathPattern.test(rest)) errors.push(invalidValue(path, rest, `Invalid path (regex used for validation is '${httpPath}')`));
  return errors;
}

/** Checks a DNS name of at least this many labels. */
export function validateQualifiedDomain(path: FieldPath, value: string, labels: 2 | 3): readonly FieldError[] {
  if (value === "") return [required(path)];
  const name = labels === 2 && value.endsWith(".") ? value.slice(0, -1) : value;
  const errors = dns1123SubdomainErrors(name);
  if (errors.length > 0) return [invalidValue(path, name, errors.join(","))];
  const parts = name.split(".");
  if (parts.length < labels) {
    return [invalidValue(path, name, `should be a domain with at least ${labels === 2 ? "two" : "three"} segments separated by dots`)];
  }
  const bad = labels === 2 ? parts.find((part) => dns1123LabelErrors(part).length > 0) : undefined;
  return bad === undefined ? [] : [invalidValue(path, bad, dns1123LabelErrors(bad).join(","))];
}
