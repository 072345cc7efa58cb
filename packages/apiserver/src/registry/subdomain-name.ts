import { dns1123SubdomainErrors } from "@kaji/core";

/** What is wrong with a name that must be a subdomain. */
export function subdomainName(name: string, { prefix }: { readonly prefix: boolean }): readonly string[] {
  return dns1123SubdomainErrors(prefix ? completedPrefix(name) : name);
}

/** A prefix of names as rules for names take it: more follows after a hyphen at its end, which stands with the letter before it for a letter. */
export function completedPrefix(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}
