import type { Resource } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";

/** What an API server leaves undone that cannot reach this machine, in words: nobody else would say that a webhook was not asked. Undefined if there is nothing. */
export function uncalledParts({
  webhooks,
  conversions,
  apis,
}: Pick<OperatorDefinition, "apis" | "conversions" | "webhooks">): string | undefined {
  const kindsOf = (parts: readonly { readonly resource: Resource }[]): string =>
    [...new Set(parts.map(({ resource }) => resource.kind))].join(", ");
  const left = [
    ...(webhooks.length === 0 ? [] : [`the webhooks of ${kindsOf(webhooks)} are not called: nothing is defaulted or refused by them`]),
    ...(conversions.length === 0 ? [] : [`${kindsOf(conversions)} can be read in the stored version alone`]),
    ...(apis.length === 0 ? [] : [`nobody can ask for ${[...new Set(apis.map(({ resource }) => resource.plural))].join(", ")}`]),
  ];
  return left.length === 0 ? undefined : `that API server cannot reach this machine: ${left.join("; ")} (--webhook-host tells it how)`;
}
