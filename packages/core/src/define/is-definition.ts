import type { Resource } from "../object/resource.ts";
import type { ResourceDefinition } from "./define-resource.ts";

/** Whether a resource is a definition, and neither built in nor a version that was taken out of one: that has no `crd`, and whoever defines it installs it. */
export function isDefinition(resource: Resource): resource is ResourceDefinition {
  return "crd" in resource;
}
