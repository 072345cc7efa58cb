import type { AdmissionPlugin, AdmissionRequest, MutationRequest } from "@kaji/apiserver";
import type { Clock, DynamicObject, JsonObject } from "@kaji/core";
import { field, objectField, objectsField, stringField } from "../kinds/json-fields.ts";
import { mountableSecretProblem, referredSecrets } from "./mountable-secrets.ts";
import { refusedObject } from "./refused-object.ts";
import type { StoredObjects } from "./stored-objects.ts";
import { withTokenVolume } from "./token-volume.ts";

const defaultAccount = "default";
/** The account of that name is made by a controller, for which a pod waits this long. */
const patienceMs = 1500;
const mirror = "kubernetes.io/config.mirror";

/** Gives pods a service account that exists, its token and its pull secrets, and refuses what the account does not allow. */
export function serviceAccount(objects: StoredObjects): AdmissionPlugin {
  return {
    name: "ServiceAccount",
    resources: ["/pods"],
    mutate: (request) => {
      if (!isNewPod(request)) return request.object;
      return isMirror(request.object) ? request.object : withAccount(objects, request);
    },
    validate: async (request) => {
      const { object, target } = request;
      if (object === undefined) return;
      if (isNewPod(request)) await validatePod(objects, request, object);
      if (request.operation === "UPDATE" && target.subresource === "ephemeralcontainers") await validateDebugging(objects, request, object);
    },
  };
}

function isNewPod({ operation, target }: AdmissionRequest): boolean {
  return operation === "CREATE" && target.subresource === undefined;
}

/** A pod that a kubelet made on its own, and shows for information. */
function isMirror({ metadata }: DynamicObject): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, mirror);
}

async function withAccount(objects: StoredObjects, request: MutationRequest): Promise<DynamicObject> {
  const { object, context } = request;
  const given = objectField(object, "spec");
  const name = stringField(given, "serviceAccountName") || defaultAccount;
  const spec = { ...given, serviceAccountName: name, serviceAccount: name };
  const account = await requiredAccount(objects, request, name);
  const mounted = mountsToken(account, spec) ? withTokenVolume(spec, context.random) : spec;
  const pullSecrets = objectsField(account, "imagePullSecrets");
  const hasOwn = objectsField(spec, "imagePullSecrets").length > 0;
  return { ...object, spec: hasOwn || pullSecrets.length === 0 ? mounted : { ...mounted, imagePullSecrets: pullSecrets } };
}

/** The pod's wish counts before the account's. */
function mountsToken(account: DynamicObject, spec: JsonObject): boolean {
  const wish = field(spec, "automountServiceAccountToken") ?? field(account, "automountServiceAccountToken");
  return wish !== false;
}

async function validatePod(objects: StoredObjects, request: AdmissionRequest, pod: DynamicObject): Promise<void> {
  if (isMirror(pod)) {
    const problem = mirrorProblem(objectField(pod, "spec"));
    if (problem !== undefined) throw refusedObject(request, problem);
    return;
  }
  const account = await accountOf(objects, request, pod);
  const problem = mountableSecretProblem(account, objectField(pod, "spec"), ["initContainers", "containers"]);
  if (problem !== undefined) throw refusedObject(request, problem);
}

async function validateDebugging(objects: StoredObjects, request: AdmissionRequest, pod: DynamicObject): Promise<void> {
  const account = await accountOf(objects, request, pod);
  const problem = mountableSecretProblem(account, objectField(pod, "spec"), ["ephemeralContainers"]);
  if (problem !== undefined) throw refusedObject(request, problem);
}

function mirrorProblem(spec: JsonObject): string | undefined {
  if (stringField(spec, "serviceAccountName") !== "") return "a mirror pod may not reference service accounts";
  if (referredSecrets(spec).length > 0) return "a mirror pod may not reference secrets";
  const projections = objectsField(spec, "volumes").flatMap((volume) => objectsField(objectField(volume, "projected"), "sources"));
  const hasToken = projections.some((source) => Object.hasOwn(source, "serviceAccountToken"));
  return hasToken ? "a mirror pod may not use ServiceAccountToken volume projections" : undefined;
}

async function accountOf(objects: StoredObjects, request: AdmissionRequest, pod: DynamicObject): Promise<DynamicObject> {
  const name = stringField(objectField(pod, "spec"), "serviceAccountName");
  if (name === "") throw refusedObject(request, `no service account specified for pod ${request.target.namespace}/${pod.metadata.name}`);
  return requiredAccount(objects, request, name);
}

async function requiredAccount(objects: StoredObjects, request: AdmissionRequest, name: string): Promise<DynamicObject> {
  const { target, context } = request;
  const key = `/registry/serviceaccounts/${target.namespace}/${name}`;
  if (objects.get(key) === undefined && name === defaultAccount) await written(objects, key, context.clock);
  const account = objects.get(key);
  if (account !== undefined) return account;
  throw refusedObject(request, `error looking up service account ${target.namespace}/${name}: serviceaccount "${name}" not found`);
}

/** Resolves when an object is written, or when the time to wait for it is over. */
async function written(objects: StoredObjects, key: string, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  using _subscription = objects.whenWritten(key, resolve);
  using _timer = clock.timer(patienceMs, resolve);
  await promise;
}
