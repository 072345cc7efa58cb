import { dns1123SubdomainErrors } from "@kaji/core";
import type { Draft, KubeObject, Resource } from "@kaji/core";
import type { Pod, PodTemplateSpec } from "@kaji/types/core/v1";
import { controllerReference } from "../ownership/controller-reference.ts";

/** The pod that a template describes, controlled by its owner; the server completes its name. */
export function podFromTemplate(resource: Resource, owner: KubeObject, template: PodTemplateSpec): Draft<Pod> {
  const { labels = {}, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      generateName: podPrefix(owner.metadata.name),
      ...(owner.metadata.namespace === undefined ? {} : { namespace: owner.metadata.namespace }),
      labels,
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controllerReference(resource, owner)],
    },
    ...(template.spec === undefined ? {} : { spec: template.spec }),
  };
}

/** The owner's name and a hyphen, or the name alone where a hyphen and the server's suffix would make it invalid. */
function podPrefix(ownerName: string): string {
  return dns1123SubdomainErrors(`${ownerName}-a`).length === 0 ? `${ownerName}-` : ownerName;
}
