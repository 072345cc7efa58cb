import assert from "node:assert/strict";
import { test } from "node:test";
import { defineController } from "@kaji/runtime";
import { PermissionError, testCluster } from "@kaji/testing";
import { CertificateSigningRequest } from "@kaji/types/certificates/v1";

const signerName = "example.com/serving";
// openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj /CN=web
const request =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkN6Q0JzUUlCQURBZE1RMHdDd1lEVlFRS0RBUmhZMjFsTVF3d0NnWURWUVFEREFOM1pXSXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVNxeTN3WkpiQW1qMC9Va0x4Mk5qRitOWld3YlVjTmRxaG4yVHRrCkVyTE50M0VlU0h2dmVkY1NTaFZvbGZVU2NtRllmWmNibUJINjlTNTlXd1kwanFMVW9ESXdNQVlKS29aSWh2Y04KQVFrT01TTXdJVEFmQmdOVkhSRUVHREFXZ2hSM1pXSXVjMmh2Y0M1bGVHRnRjR3hsTG1OdmJUQUtCZ2dxaGtqTwpQUVFEQWdOSkFEQkdBaUVBMWdJNnVWWlZoRnp2akx4MEh6K3NuOCtFaExXWlhad3RJSUNxUldqVnR0SUNJUUMwCmZOWmMreVkzMFhKYTROZmpQR1dvdzNJR3BtYlVhSU05NTdyMDFtQVNUUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

/** Approves what it is asked for and says that it has failed to sign it, with the rights to speak for its signer that are given. */
const signer = (...verbs: readonly string[]) =>
  defineController(CertificateSigningRequest, {
    name: "example-signer",
    fieldSelector: `spec.signerName=${signerName}`,
    selfVerbs: ["update/approval"],
    permissions: verbs.map((verb) => ({
      apiGroup: "certificates.k8s.io",
      resource: "signers",
      resourceNames: [signerName],
      verbs: [verb],
    })),
    async reconcile(asked, { client, setStatus }) {
      const { conditions = [] } = asked.status ?? {};
      if (conditions.length > 0) return;
      const approved = { ...asked.status, conditions: [{ type: "Approved", status: "True", reason: "Known" }] };
      await client.update(CertificateSigningRequest, { ...asked, status: approved }, { subresource: "approval" });
      await setStatus({ conditions: [{ type: "Failed", status: "True", reason: "Closed", message: "nobody is here" }] });
    },
  });

async function signed(controller: ReturnType<typeof signer>): Promise<readonly string[]> {
  await using cluster = await testCluster({ controllers: [controller] });
  await cluster.client.create(CertificateSigningRequest, {
    metadata: { name: "web" },
    spec: { request, signerName, usages: ["digital signature", "server auth"] },
  });
  await cluster.settled();
  assert.deepEqual(cluster.unusedGrants(), []);
  const { status } = await cluster.client.get(CertificateSigningRequest, "web");
  return (status?.conditions ?? []).map(({ type }) => type);
}

function toDeclare(verb: string): string {
  return `[{ apiGroup: "certificates.k8s.io", resource: "signers", resourceNames: ["${signerName}"], verbs: ["${verb}"] }] in controller example-signer`;
}

test("[PER6] an operator that speaks for a signer without the right to is told what to declare", async () => {
  const refused = (how: string) => (error: unknown) => {
    assert.ok(error instanceof PermissionError);
    assert.ok(error.message.includes(how), error.message);
    return true;
  };
  await assert.rejects(signed(signer()), refused(`declare permissions: ${toDeclare("approve")}`));
  await assert.rejects(signed(signer("approve")), refused(`add to the permissions: ${toDeclare("sign")}`));
});

test("[DEF2] a signer approves and signs with the verb for the approval alone, and the right to speak for its signer", async () => {
  assert.deepEqual(await signed(signer("approve", "sign")), ["Approved", "Failed"]);
});
