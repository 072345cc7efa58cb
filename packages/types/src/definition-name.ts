import type { FieldType } from "@kaji/core/protobuf";

/** Where OpenAPI has the packages that are not part of `k8s.io/api`. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ["meta.v1", "io.k8s.apimachinery.pkg.apis.meta.v1"],
  ["apiextensions.v1", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"],
  ["apiregistration.v1", "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1"],
]);

const ordinary = "io.k8s.api.";
const packages: ReadonlyMap<string, string> = new Map(Array.from(prefixes, ([name, prefix]) => [prefix, name]));

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
  const [packageName, typeName] = splitLast(struct);
  return `${prefixes.get(packageName) ?? `${ordinary}${packageName}`}.${typeName}`;
}

/** The inverse of `definitionName`; undefined for what it never returns. Whether there is such a struct is another question. */
export function structOfDefinition(name: string): string | undefined {
  const [prefix, typeName] = splitLast(name);
  const packageName = packages.get(prefix) ?? (prefix.startsWith(ordinary) ? prefix.slice(ordinary.length) : undefined);
  const struct = `${packageName}.${typeName}`;
  return packageName === undefined || definitionName(struct) !== name ? undefined : struct;
}

/** The name of the definition to which a value of this type refers; undefined where OpenAPI describes the type in place. */
export function referencedDefinition(type: FieldType): string | undefined {
  return type.type === "struct" ? definitionName(type.name) : leaves.get(type.type);
}

function splitLast(name: string): readonly [start: string, end: string] {
  const dot = name.lastIndexOf(".");
  return [name.slice(0, Math.max(dot, 0)), name.slice(dot + 1)];
}
