/** The Go packages outside `k8s.io/api` whose structs are named after their last two parts all the same. */
const packages: Readonly<Record<string, string>> = {
  "k8s.io/apimachinery/pkg/apis/meta/v1": "meta.v1",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": "apiextensions.v1",
  "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1": "apiregistration.v1",
};

/** Go types that write their own JSON and have no parts for us, by the name we give them. */
const leaves: Readonly<Record<string, string>> = {
  "k8s.io/apimachinery/pkg/apis/meta/v1.Time": "time",
  "k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime": "microTime",
  "k8s.io/apimachinery/pkg/api/resource.Quantity": "quantity",
  "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intOrString",
  "k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1": "fieldsV1",
  "k8s.io/apimachinery/pkg/runtime.RawExtension": "rawExtension",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON": "json",
};

/** Go types that hold a JSON schema or something else. */
const schemaAlternatives: Readonly<Record<string, string>> = {
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray": "schemaOrArray",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool": "schemaOrBool",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "schemaOrStrings",
};

/** The struct of a JSON schema. */
export const schemaStruct = "apiextensions.v1.JSONSchemaProps";

/** Our name of a type without parts; undefined when the Go type is none. */
export function leafOf(qualified: string): string | undefined {
  return leaves[qualified];
}

/** Our name of a type that is a schema or something else; undefined when the Go type is none. */
export function schemaAlternativeOf(qualified: string): string | undefined {
  return schemaAlternatives[qualified];
}

/** `k8s.io/api/core/v1.Pod` → `core.v1.Pod`. */
export function shortName(qualified: string): string {
  const dot = qualified.lastIndexOf(".");
  return `${shortPackage(qualified.slice(0, dot))}${qualified.slice(dot)}`;
}

/** `k8s.io/api/core/v1` → `core.v1`. */
function shortPackage(path: string): string {
  const known = packages[path];
  if (known !== undefined) return known;
  const [, group, version] = /^k8s\.io\/api\/(\w+)\/(\w+)$/.exec(path) ?? [];
  if (group === undefined || version === undefined) throw new Error(`the Go package ${path} has no name in our tables`);
  return `${group}.${version}`;
}

/** `k8s.io/api/core/v1.Pod` → `io.k8s.api.core.v1.Pod`, the name of its definition in OpenAPI. */
export function definitionName(qualified: string): string {
  const [host = "", ...rest] = qualified.split("/");
  return [...host.split(".").toReversed(), ...rest].join(".");
}
