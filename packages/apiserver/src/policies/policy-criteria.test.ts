import assert from "node:assert/strict";
import { test } from "node:test";
import { isExempt } from "../webhooks/rule.ts";
import { isSpared } from "./policy-criteria.ts";

test("[VP2] policies never see configurations of webhooks and policies, nor reviews of who is who and who may do what", () => {
  const reviews = ["selfsubjectaccessreviews", "selfsubjectrulesreviews", "subjectaccessreviews", "localsubjectaccessreviews"];
  for (const resource of reviews) assert.ok(isSpared({ group: "authorization.k8s.io", resource }), resource);
  for (const resource of ["tokenreviews", "selfsubjectreviews"])
    assert.ok(isSpared({ group: "authentication.k8s.io", resource }), resource);
  for (const resource of ["tokenreviews", "pods"]) assert.ok(!isSpared({ group: "", resource }), resource);
  const group = "admissionregistration.k8s.io";
  for (const kind of ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration"])
    assert.ok(isExempt({ group, kind }), kind);
});
