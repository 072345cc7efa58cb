import type { DynamicObject, JsonObject } from "@kaji/core";
import { objectField, objectsField, optionalObject, stringField } from "../kinds/json-fields.ts";

const enforced = "kubernetes.io/enforce-mountable-secrets";
const truths = new Set(["1", "t", "T", "true", "TRUE", "True"]);

type ContainerList = "containers" | "ephemeralContainers" | "initContainers";

/** What a pod refers to that its account, if it is strict, does not name; undefined when nothing is. */
export function mountableSecretProblem(account: DynamicObject, spec: JsonObject, lists: readonly ContainerList[]): string | undefined {
  const { name, annotations = {} } = account.metadata;
  if (!truths.has(annotations[enforced] ?? "")) return undefined;
  const why = `is not allowed because service account ${name} does not reference that secret`;
  const known = new Set(objectsField(account, "secrets").map((secret) => stringField(secret, "name")));
  const isPod = !lists.includes("ephemeralContainers");
  const ofVolumes = isPod ? present(objectsField(spec, "volumes"), "secret") : [];
  for (const secret of ofVolumes) {
    const secretName = stringField(secret, "secretName");
    if (!known.has(secretName)) return `volume with secret.secretName="${secretName}" ${why}`;
  }
  const unknown = lists.flatMap((list) => containerReferences(spec, list)).find(({ secret }) => !known.has(secret));
  if (unknown !== undefined) return `${unknown.what} referencing secret.secretName="${unknown.secret}" ${why}`;
  return isPod ? pullSecretProblem(account, spec) : undefined;
}

/** The names of the secrets that a pod refers to in its volumes, its variables and to pull images. */
export function referredSecrets(spec: JsonObject): readonly string[] {
  const ofVolumes = objectsField(spec, "volumes").flatMap((volume) => {
    const projected = present(objectsField(objectField(volume, "projected"), "sources"), "secret");
    const own = optionalObject(volume, "secret");
    return [...(own === undefined ? [] : [stringField(own, "secretName")]), ...projected.map((secret) => stringField(secret, "name"))];
  });
  const lists: readonly ContainerList[] = ["containers", "initContainers", "ephemeralContainers"];
  const ofContainers = lists.flatMap((list) => containerReferences(spec, list).map(({ secret }) => secret));
  const pull = objectsField(spec, "imagePullSecrets").map((secret) => stringField(secret, "name"));
  return [...ofVolumes, ...ofContainers, ...pull].filter((name) => name !== "");
}

interface Reference {
  readonly what: string;
  readonly secret: string;
}

const words = { containers: "container", ephemeralContainers: "ephemeral container", initContainers: "init container" } as const;

function containerReferences(spec: JsonObject, list: ContainerList): readonly Reference[] {
  return objectsField(spec, list).flatMap((container) => {
    const who = `${words[list]} ${stringField(container, "name")}`;
    const variables = objectsField(container, "env").flatMap((variable): readonly Reference[] => {
      const source = optionalObject(objectField(variable, "valueFrom"), "secretKeyRef");
      const what = `${who} with envVar ${stringField(variable, "name")}`;
      return source === undefined ? [] : [{ what, secret: stringField(source, "name") }];
    });
    const sources = objectsField(container, "envFrom").flatMap((from): readonly Reference[] => {
      const source = optionalObject(from, "secretRef");
      return source === undefined ? [] : [{ what: `${who} with envFrom`, secret: stringField(source, "name") }];
    });
    return [...variables, ...sources];
  });
}

function pullSecretProblem(account: DynamicObject, spec: JsonObject): string | undefined {
  const known = new Set(objectsField(account, "imagePullSecrets").map((secret) => stringField(secret, "name")));
  const given = objectsField(spec, "imagePullSecrets").map((secret) => stringField(secret, "name"));
  const at = given.findIndex((name) => !known.has(name));
  if (at < 0) return undefined;
  const why = `is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`;
  return `imagePullSecrets[${at}].name="${given[at]}" ${why}`;
}

/** The field of each parent that has it. */
function present(parents: readonly JsonObject[], name: string): readonly JsonObject[] {
  return parents.map((parent) => optionalObject(parent, name)).filter((value) => value !== undefined);
}
