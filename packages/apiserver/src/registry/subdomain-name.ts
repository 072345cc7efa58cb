import { dns1123SubdomainErrors } from "@kaji/core";

/** What is wrong with a name that must be a subdomain. A prefix may end in a hyphen, since more follows. */
export function subdomainName(name: string, { prefix }: { readonly prefix: boolean }): readonly string[] {
  return dns1123SubdomainErrors(prefix ? name.replace(/-$/, "a") : name);
}
