/** What an operation does, as its name says it: `read`, `NamespacedPod`, `Status`. */
interface OperationName {
  readonly verb: string;
  readonly subject: string;
}

/** The tag of all operations on a version of a group: `core_v1`, `rbacAuthorization_v1`. */
export function tagOf(group: string, version?: string): string {
  const name = camelCase(shortGroup(group));
  return version === undefined ? name : `${name}_${version}`;
}

/** The id of an operation, which has the group and version in it: `readCoreV1NamespacedPodStatus`. */
export function operationId({ verb, subject }: OperationName, group: string, version = ""): string {
  // The id of this verb is put together as if it were `delete` of a `Collection`.
  const isCollection = verb === "deletecollection";
  const start = isCollection ? "delete" : verb;
  return `${start}${capitalized(camelCase(shortGroup(group)))}${capitalized(version)}${isCollection ? "Collection" : ""}${subject}`;
}

/** `status` → `Status`. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function shortGroup(group: string): string {
  return group === "" ? "core" : group.replace(/\.k8s\.io$/, "");
}

/** What is neither letter nor digit separates words, and so does a digit at the very start. */
function camelCase(text: string): string {
  const [first = "", ...rest] = text.replace(/^\p{Nd}/u, ".").split(/[^\p{L}\p{Nd}_]+/u);
  return first + rest.map(capitalized).join("");
}
