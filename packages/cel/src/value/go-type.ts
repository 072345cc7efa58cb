import { kindOf, typeNameOf } from "./value.ts";
import type { Kind, Value } from "./value.ts";

/** The Go type by which cel-go represents a value, as it shows in errors. */
export function goTypeOf(value: Value): string {
  const kind = kindOf(value);
  // Those of Kubernetes are called as in CEL, after their package.
  return kind === "opaque" ? `cel.${opaqueNames.get(typeNameOf(value)) ?? typeNameOf(value).split(".").at(-1)}` : goTypes[kind];
}

const opaqueNames: ReadonlyMap<string, string> = new Map([["kubernetes.NamedFormat", "Format"]]);

const goTypes: Readonly<Record<Exclude<Kind, "opaque">, string>> = {
  null: "types.Null",
  bool: "types.Bool",
  int: "types.Int",
  uint: "types.Uint",
  double: "types.Double",
  string: "types.String",
  bytes: "types.Bytes",
  timestamp: "types.Timestamp",
  duration: "types.Duration",
  optional: "*types.Optional",
  type: "*types.Type",
  list: "*types.baseList",
  map: "*types.baseMap",
  error: "*types.Err",
};
