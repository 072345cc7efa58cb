/** The name of the definition of what all kinds have in common, such as `ObjectMeta`. */
export function metaDefinitionName(type: string): string {
  return `io.k8s.apimachinery.pkg.apis.meta.v1.${type}`;
}

/** What a reference to a definition begins with in OpenAPI v3. */
export const referencePrefix = "#/components/schemas/";

/** A reference to a definition, as OpenAPI v3 writes it. */
export function referenceTo(name: string): { readonly $ref: string } {
  return { $ref: referencePrefix + name };
}
