import type { GroupVersionKind } from "../object/group-version.ts";

/** The name of the definition of a custom kind in OpenAPI: `example.com`, `v1`, `Foo` → `com.example.v1.Foo`. */
export function customDefinitionName({ group, version, kind }: GroupVersionKind): string {
  return `${group.split(".").toReversed().join(".")}.${version}.${kind}`;
}
