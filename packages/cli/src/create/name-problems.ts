import { dns1123SubdomainErrors } from "@kaji/core";

/** What is wrong with the name of a kind: a list of it has four characters more, and 63 are allowed. */
export function kindProblem(kind: string): string | undefined {
  return /^[A-Z][A-Za-z0-9]{0,58}$/.test(kind)
    ? undefined
    : `'${kind}' is not a kind: at most 59 letters and digits, the first a capital, such as WebSite`;
}

/** What is wrong with the group of a custom resource. */
export function groupProblem(group: string): string | undefined {
  const isGroup = dns1123SubdomainErrors(group).length === 0 && group.includes(".");
  return isGroup ? undefined : `'${group}' is not a group: a domain of yours in lower case, such as shop.example.com`;
}

/** What is wrong with a version. */
export function versionProblem(version: string): string | undefined {
  return /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(version) ? undefined : `'${version}' is not a version such as v1alpha1, v1beta1 or v1`;
}

/** What is wrong with the name of a project. */
export function projectNameProblem(name: string): string | undefined {
  return /^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$/.test(name)
    ? undefined
    : `'${name}' is not a name for an operator: at most 52 lower case letters, digits and dashes, such as web-sites`;
}
