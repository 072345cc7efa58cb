import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { createAuthority } from "@kaji/apiserver";
import type { JsonObject } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";
import { startAdmissionRig } from "../testing/admission-rig.ts";
import { ClientCertificates } from "./client-certificates.ts";
import { LocalApi } from "./local-api.ts";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const signerName = "kubernetes.io/kube-apiserver-client";
/** Of O=devs, CN=jane. */
const request = `-----BEGIN CERTIFICATE REQUEST-----
MIHZMIGAAgEAMB4xDTALBgNVBAoMBGRldnMxDTALBgNVBAMMBGphbmUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAATqA+DtgZZyPiHwBlTDv3fQx9Ec547ljTm2C6WL
QeZ3Dk3yiLEqxkuGJ9gNW4lBuJat7QEijjW7QKmQjY97jQDloAAwCgYIKoZIzj0E
AwIDSAAwRQIgaBcEucqgnVoY39gTE+kN1Nbz8XXTAkY1nGN/7AMzfFYCIQChJ3iM
JFBPdgUC92Lu2sPIXFZutrBR0IuVhUeUgkhBvQ==
-----END CERTIFICATE REQUEST-----
`;

/** Asks for a certificate, approves or denies it, and tells what became of it. */
async function asked(
  spec: JsonObject,
  decision: "Approved" | "Denied" | undefined,
): Promise<{ status: JsonObject; authority: X509Certificate }> {
  await using rig = await startAdmissionRig();
  const authority = createAuthority("kaji", { clock: rig.clock, random: seededRandom(1) });
  using controller = new ClientCertificates(rig.server, new LocalApi(rig.server.transport(), "test"), authority);
  const encoded = Buffer.from(request).toString("base64");
  const { body } = await rig.call("POST", path, { metadata: { name: "jane" }, spec: { request: encoded, signerName, ...spec } });
  if (decision !== undefined) {
    const conditions = [{ type: decision, status: "True", reason: "Test", message: "so it is" }];
    await rig.call("PUT", `${path}/jane/approval`, { ...body, status: { conditions } });
  }
  await controller.settled();
  return { status: objectField((await rig.call("GET", `${path}/jane`)).body, "status"), authority: new X509Certificate(authority.cert) };
}

test("[CSR1] what has been approved is signed, for the user and groups that it names", async () => {
  const { status, authority } = await asked({ usages: ["client auth", "digital signature"] }, "Approved");
  const certificate = new X509Certificate(Buffer.from(stringField(status, "certificate"), "base64"));
  assert.equal(certificate.subject, "O=devs\nCN=jane");
  assert.ok(certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
});

test("[CSR1] nothing else is: neither what waits, nor what is denied, nor what another signer is asked for", async () => {
  const usages = ["client auth"];
  const others = [
    await asked({ usages }, undefined),
    await asked({ usages }, "Denied"),
    await asked({ usages, signerName: "example.com/other" }, "Approved"),
  ];
  assert.deepEqual(
    others.map(({ status }) => stringField(status, "certificate")),
    ["", "", ""],
  );
});

test("[CSR2] what is to be used for more than a client's certificate fails, in the words of a real signer", async () => {
  const failure = async (usages: readonly string[]): Promise<unknown> =>
    objectsField((await asked({ usages }, "Approved")).status, "conditions").find(({ type }) => type === "Failed");
  assert.partialDeepStrictEqual(await failure(["client auth", "server auth"]), {
    status: "True",
    reason: "SignerValidationFailure",
    message: "invalid usage for client certificate: server auth",
  });
  assert.partialDeepStrictEqual(await failure(["digital signature"]), {
    message: "missing required usage for client certificate: client auth",
  });
});
