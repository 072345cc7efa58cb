import type { FieldType } from "@kaji/core/protobuf";

/** Where OpenAPI has the packages that are not part of `k8s.io/api`. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ["meta.v1", "io.k8s.apimachinery.pkg.apis.meta.v1"],
  ["apiextensions.v1", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"],
  ["apiregistration.v1", "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1"],
]);

/** The types without parts that OpenAPI defines rather than describing them in place. */
const leaves: ReadonlyMap<string, string> = new Map([
  ["time", "io.k8s.apimachinery.pkg.apis.meta.v1.Time"],
  ["microTime", "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime"],
  ["fieldsV1", "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1"],
  ["quantity", "io.k8s.apimachinery.pkg.api.resource.Quantity"],
  ["intOrString", "io.k8s.apimachinery.pkg.util.intstr.IntOrString"],
  ["rawExtension", "io.k8s.apimachinery.pkg.runtime.RawExtension"],
  ["json", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON"],
  ["schemaOrArray", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray"],
  ["schemaOrBool", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool"],
  ["schemaOrStrings", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray"],
]);

/** The name of a struct's definition in OpenAPI: `core.v1.Pod` → `io.k8s.api.core.v1.Pod`. */
export function definitionName(struct: string): string {
  const dot = struct.lastIndexOf(".");
  const packageName = struct.slice(0, dot);
  return `${prefixes.get(packageName) ?? `io.k8s.api.${packageName}`}${struct.slice(dot)}`;
}

/** The name of the definition to which a value of this type refers; undefined where OpenAPI describes the type in place. */
export function referencedDefinition(type: FieldType): string | undefined {
  return type.type === "struct" ? definitionName(type.name) : leaves.get(type.type);
}
