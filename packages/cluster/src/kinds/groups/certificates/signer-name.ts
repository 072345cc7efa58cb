import { dns1123LabelErrors, dns1123SubdomainErrors, invalidValue, required, tooLong } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";

const longestDomain = 253;
const longestName = longestDomain + 1 + 253 + 63 + 1;

/** What is wrong with the name of a signer, such as `example.com/web`. */
export function validateSignerName(name: string, path: FieldPath): readonly FieldError[] {
  if (name === "") return [required(path)];
  const [domain = "", rest, ...more] = name.split("/");
  if (rest === undefined || more.length > 0) {
    return [invalidValue(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  return [
    ...(Buffer.byteLength(domain) > longestDomain ? [tooLong(path, longestDomain)] : []),
    ...firstBadLabel(domain, path, dns1123LabelErrors),
    ...(domain.includes(".") ? [] : [invalidValue(path, domain, "should be a domain with at least two segments separated by dots")]),
    ...firstBadLabel(rest, path, dns1123SubdomainErrors),
    ...(Buffer.byteLength(name) > longestName ? [tooLong(path, longestName)] : []),
  ];
}

function firstBadLabel(segment: string, path: FieldPath, problemsOf: (label: string) => readonly string[]): readonly FieldError[] {
  const bad = segment.split(".").find((label) => problemsOf(label).length > 0);
  return bad === undefined
    ? []
    : problemsOf(bad).map((problem) => invalidValue(path, segment, `validating label ${JSON.stringify(bad)}: ${problem}`));
}
