import type { Column } from "../kind.ts";

/** What the API says of `metadata.name`. */
const nameDescription =
  "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation " +
  "of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. " +
  "More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";

/** What the API says of `metadata.creationTimestamp`. */
export const creationTimestampDescription: string =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order " +
  "across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. " +
  "Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** The name, which every table starts with. */
export const nameColumn: Column = {
  name: "Name",
  type: "string",
  format: "name",
  description: nameDescription,
  cell: ({ metadata }) => metadata.name ?? "",
};

/** When the object was made, as a time: what kinds show that say nothing of their columns. */
export const createdAtColumn: Column = {
  name: "Created At",
  type: "date",
  description: creationTimestampDescription,
  cell: ({ metadata }) => metadata.creationTimestamp ?? null,
};
