import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ObjectMeta, OwnerReference } from "./kube-object.ts";
import { AlreadyControlledError, controllerOf, setControllerReference, setOwnerReference } from "./owner-reference.ts";

const owner = kubeObject("apps/v1", "Deployment", { name: "web", namespace: "default", uid: "u-1" });
const pod = kubeObject("v1", "Pod", { name: "web-0", namespace: "default" });
const reference: OwnerReference = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "u-1" };
const controller: OwnerReference = { ...reference, controller: true, blockOwnerDeletion: true };

test("[OWN1] the controller blocks the deletion of its owner; a plain owner does neither", () => {
  assert.deepEqual(setControllerReference(owner, pod).metadata.ownerReferences, [controller]);
  assert.deepEqual(setOwnerReference(owner, pod).metadata.ownerReferences, [reference]);
});

test("[OWN2] a second controller is refused, and the first named", () => {
  const other = kubeObject("apps/v1", "ReplicaSet", { name: "rs", namespace: "default", uid: "u-2" });
  const controlled = setControllerReference(other, pod);
  assert.throws(
    () => setControllerReference(owner, controlled),
    (error: unknown) =>
      error instanceof AlreadyControlledError &&
      error.controller.name === "rs" &&
      error.message === 'default/web-0 is already controlled by ReplicaSet "rs"',
  );
  assert.deepEqual(setOwnerReference(owner, controlled).metadata.ownerReferences?.length, 2);
});

test("[OWN3] the same owner is known by group, kind and name: its version and uid are updated in place", () => {
  const first: OwnerReference = { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "u-0" };
  const old: OwnerReference = { ...controller, apiVersion: "apps/v1beta1", uid: "u-old" };
  const object = kubeObject("v1", "Pod", { name: "p", namespace: "default", ownerReferences: [first, old] });
  assert.deepEqual(setControllerReference(owner, object).metadata.ownerReferences, [first, controller]);
  assert.deepEqual(setOwnerReference(owner, object).metadata.ownerReferences, [first, reference]);
});

test("[OWN3] the same kind and name in another group is another owner", () => {
  const foreign: OwnerReference = { ...reference, apiVersion: "example.com/v1", uid: "u-3" };
  const broken: OwnerReference = { ...reference, apiVersion: "a/b/c", uid: "u-4" };
  const object = kubeObject("v1", "Pod", { name: "p", namespace: "default", ownerReferences: [foreign, broken] });
  assert.deepEqual(setOwnerReference(owner, object).metadata.ownerReferences, [foreign, broken, reference]);
});

test("[OWN4] an owner in a namespace owns only what is in the same namespace", () => {
  const elsewhere = kubeObject("v1", "Pod", { name: "p", namespace: "other" });
  const clusterScoped = kubeObject("v1", "Node", { name: "n" });
  assert.throws(
    () => setOwnerReference(owner, elsewhere),
    new TypeError('Deployment default/web cannot own other/p, which is in namespace "other"'),
  );
  assert.throws(
    () => setControllerReference(owner, clusterScoped),
    new TypeError("Deployment default/web cannot own n, which is not in a namespace"),
  );
});

test("[OWN4] an owner of the whole cluster owns anything", () => {
  const node = kubeObject("v1", "Node", { name: "n", uid: "u-5" });
  assert.equal(setOwnerReference(node, pod).metadata.ownerReferences?.length, 1);
  assert.equal(setOwnerReference(node, kubeObject("v1", "Node", { name: "m" })).metadata.ownerReferences?.length, 1);
});

test("[OWN5] an owner that no server has stored is refused", () => {
  assert.throws(
    () => setOwnerReference(pod, pod),
    new TypeError("Pod default/web-0 cannot be an owner: it has no uid, so no server has stored it"),
  );
});

test("[OWN6] nothing is mutated, and the draft of an object will do", () => {
  const frozen = Object.freeze({ ...pod, metadata: Object.freeze({ ...pod.metadata }) });
  assert.notEqual(setControllerReference(owner, frozen), frozen);
  const draft = setControllerReference(owner, { metadata: { generateName: "web-", namespace: "default" }, data: { a: "b" } });
  assert.equal(draft.data.a, "b");
  assert.equal(controllerOf(draft)?.uid, "u-1");
});

test("the controller is the reference that says so", () => {
  assert.equal(controllerOf(pod), undefined);
  assert.equal(controllerOf(setOwnerReference(owner, pod)), undefined);
  assert.deepEqual(controllerOf(setControllerReference(owner, pod)), controller);
});

function kubeObject(apiVersion: string, kind: string, metadata: ObjectMeta): KubeObject {
  return { apiVersion, kind, metadata };
}
