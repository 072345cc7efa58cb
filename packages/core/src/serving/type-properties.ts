/** What every object says of its type, in OpenAPI, with sentences for `kubectl explain`. */
export const typeProperties = {
  apiVersion: { type: "string", description: "APIVersion defines the group and version of the API in which the object is written." },
  kind: { type: "string", description: "Kind names what the object is, in CamelCase. It cannot be changed." },
} as const;
