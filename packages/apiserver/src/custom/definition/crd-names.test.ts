import assert from "node:assert/strict";
import { test } from "node:test";
import { isServed, nextStatus, takenNames } from "./crd-names.ts";
import type { CrdNames, CrdStatus, CustomResourceDefinition } from "./crd.ts";

const nowMs = Date.UTC(2026, 0, 1);
const names: CrdNames = {
  plural: "things",
  singular: "thing",
  kind: "Thing",
  listKind: "ThingList",
  shortNames: ["th"],
  categories: ["all"],
};
const nobody = takenNames([]);

test("[CRD40] free names are accepted, and with them the definition is established", () => {
  const status = nextStatus(crd(names), nobody, nowMs);
  assert.deepEqual(status.acceptedNames, names);
  assert.deepEqual(conditionsOf(status), [
    "NamesAccepted True NoConflicts no conflicts found",
    "Established True InitialNamesAccepted the initial names have been accepted",
  ]);
  assert.ok(isServed(status));
  assert.equal(nextStatus(crd(names, status), nobody, nowMs + 5000), status);
});

test("[CRD41] a name that is taken is not accepted; the last conflict is told, and what is free is given all the same", () => {
  const taken = takenNames([{ plural: "others", singular: "thing", shortNames: ["th", "x"], kind: "Other", listKind: "ThingList" }]);
  const status = nextStatus(crd(names), taken, nowMs);
  assert.deepEqual(status.acceptedNames, { plural: "things", kind: "Thing", categories: ["all"] });
  assert.deepEqual(conditionsOf(status), [
    'NamesAccepted False ListKindConflict "ThingList" is already in use',
    "Established False NotAccepted not all names are accepted",
  ]);
  assert.ok(!isServed(status));
  const later = nextStatus(crd(names, status), nobody, nowMs + 5000);
  assert.deepEqual(later.acceptedNames, names);
  assert.ok(isServed(later));
});

test("[CRD41] short names that are taken are told together", () => {
  const taken = takenNames([
    { plural: "th", kind: "Other" },
    { plural: "a", shortNames: ["tt"], kind: "A" },
  ]);
  const status = nextStatus(crd({ ...names, shortNames: ["th", "free", "tt"] }), taken, nowMs);
  assert.equal(conditionsOf(status)[0], 'NamesAccepted False ShortNamesConflict ["th" is already in use, "tt" is already in use]');
});

test("[CRD41] an established definition stays so when it asks for a name that is taken", () => {
  const status = nextStatus(crd(names), nobody, nowMs);
  const wanted = { ...names, singular: "other" };
  const next = nextStatus(crd(wanted, status), takenNames([{ plural: "other", kind: "Other" }]), nowMs);
  assert.deepEqual(next.acceptedNames, names);
  assert.deepEqual(conditionsOf(next), [
    'NamesAccepted False SingularConflict "other" is already in use',
    "Established True InitialNamesAccepted the initial names have been accepted",
  ]);
  assert.ok(isServed(next));
});

test("[CRD42] a definition in a group of the community says whether it is approved", () => {
  const given = crd(names);
  const unapproved = {
    ...given,
    spec: { ...given.spec, group: "foo.k8s.io" },
    metadata: { ...given.metadata, annotations: { "api-approved.kubernetes.io": "unapproved, a test" } },
  };
  assert.equal(
    conditionsOf(nextStatus(unapproved, nobody, nowMs))[1],
    'KubernetesAPIApprovalPolicyConformant False UnapprovedAnnotation not approved: "unapproved, a test"',
  );
});

test("[CRD43] a webhook with a bundle that is none keeps a definition from being established", () => {
  const given = crd(names);
  const webhook = { clientConfig: { url: "https://example.com", caBundle: "Zm9v" }, conversionReviewVersions: ["v1"] };
  const status = nextStatus({ ...given, spec: { ...given.spec, conversion: { strategy: "Webhook", webhook } } }, nobody, nowMs);
  assert.equal(conditionsOf(status)[1], "Established False InvalidCABundle The conversion webhook CABundle is invalid");
});

function crd(wanted: CrdNames, status?: CrdStatus): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", scope: "Namespaced", names: wanted, versions: [] },
    ...(status === undefined ? {} : { status }),
  };
}

function conditionsOf({ conditions }: CrdStatus): readonly string[] {
  return (conditions ?? []).map(({ type, status, reason, message }) => `${type} ${status} ${reason} ${message}`);
}
