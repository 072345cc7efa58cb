import type { KubeObject } from "@kaji/core";
import { conversionStrategy } from "@kaji/runtime";
import type { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { broughtResources } from "./brought-resources.ts";
import { caInjection, webhookTarget } from "./webhook-manifests.ts";
import type { Plan } from "./manifest-options.ts";

/** The CustomResourceDefinitions of the resources that the operator brings; those whose versions it converts say so. */
export function customResourceDefinitions(plan: Plan): readonly CustomResourceDefinition[] {
  const { operator, labels } = plan;
  const converted = new Set(operator.conversions.map(({ resource }) => resource.crd().metadata.name));
  return broughtResources(operator).map((resource) => {
    const crd = resource.crd();
    if (!converted.has(crd.metadata.name)) return { ...crd, metadata: { ...crd.metadata, labels } };
    const annotations = { ...crd.metadata.annotations, ...caInjection(plan) };
    const spec = { ...crd.spec, conversion: conversionStrategy({ target: webhookTarget(plan) }) };
    return { ...crd, metadata: { ...crd.metadata, labels, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) }, spec };
  });
}

/** An example of each resource that the operator brings, where it looks after it. */
export function samples({ operator, watchNamespaces = [] }: Plan): readonly KubeObject[] {
  const [place = "default"] = watchNamespaces;
  return broughtResources(operator).map((resource) => {
    const sample = resource.sample();
    const namespace = resource.scope === "Namespaced" ? { namespace: place } : {};
    return { ...sample, metadata: { ...sample.metadata, ...namespace } };
  });
}
