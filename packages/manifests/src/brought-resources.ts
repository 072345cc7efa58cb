import { isDefinition } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import type { OperatorDefinition } from "@kaji/runtime";

/** The resources that an operator brings with it: those it controls, judges or converts that are defined rather than built in, and those it names, each once. */
export function broughtResources({
  controllers,
  webhooks,
  conversions,
  resources: named,
}: OperatorDefinition): readonly ResourceDefinition[] {
  const looked = [...controllers, ...webhooks, ...conversions].map(({ resource }) => resource);
  const resources = [...looked, ...named].filter(isDefinition);
  return [...new Map(resources.map((resource) => [resource.crd().metadata.name, resource])).values()];
}
