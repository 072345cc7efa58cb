import assert from "node:assert/strict";
import { test } from "node:test";
import type { Authorizer } from "@kaji/apiserver";
import type { JsonObject } from "@kaji/core";
import { objectField } from "../kinds/json-fields.ts";
import { startAdmissionRig } from "../testing/admission-rig.ts";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const signerName = "kubernetes.io/kube-apiserver-client";
/** Of O=system:masters, CN=jane. */
const ofMasters = `-----BEGIN CERTIFICATE REQUEST-----
MIHjMIGKAgEAMCgxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQ0wCwYDVQQDDARq
YW5lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3SQALbQuyJLA4ptNdPPTXzBh
6ugAm8FfJsjbMJr/Hx2LvEnbSdplh8h/u98pUcNckNuFNZ03daprSeTXhSwGKKAA
MAoGCCqGSM49BAMCA0gAMEUCIQCHJfC1FG/U3wjzJ2boWF/UK1RaODKZXi9/ubZF
/RPwkgIgJgkVt39pHamKRL/VKVkKckTzhOyNQLpS6kS2Flpl/fU=
-----END CERTIFICATE REQUEST-----
`;
const noRequest = "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n";

function asking(name: string, pem: string, signer: string): JsonObject {
  const spec = { request: Buffer.from(pem).toString("base64"), signerName: signer, usages: ["client auth"] };
  return { metadata: { name }, spec };
}

/** Everything is allowed but what is done for signers: for them, only what is listed. */
function allowing(...signers: readonly string[]): Authorizer {
  return (_user, access) => ({
    allowed: access.type === "Path" || access.resource !== "signers" || signers.includes(`${access.verb} ${access.name}`),
    reason: "",
  });
}

test("[ADM40] a client's certificate of system:masters cannot be asked for, and what is no request neither", async () => {
  await using rig = await startAdmissionRig();
  const answer = async (pem: string, signer = signerName): Promise<unknown> => {
    const { status, body } = await rig.call("POST", path, asking("jane", pem, signer));
    return status === 201 ? status : body["message"];
  };
  const refused = 'certificatesigningrequests.certificates.k8s.io "jane" is forbidden:';
  assert.equal(await answer(ofMasters), `${refused} use of ${signerName} signer with system:masters group is not allowed`);
  assert.equal(await answer(noRequest), `${refused} failed to parse CSR: the certificate request cannot be read`);
  assert.equal(await answer(ofMasters, "example.com/own"), 201);
});

test("[ADM41] only those approve who may for the signer, or for all of its domain", async () => {
  const approve = async (authorize: Authorizer): Promise<readonly unknown[]> => {
    await using rig = await startAdmissionRig({ authorize });
    const { body } = await rig.call("POST", path, asking("jane", noRequest, "example.com/own"));
    const conditions = [{ type: "Approved", status: "True", reason: "Test", message: "" }];
    const answer = await rig.call("PUT", `${path}/jane/approval`, { ...body, status: { conditions } });
    return [answer.status, answer.body["message"]];
  };
  const why = 'user not permitted to approve requests with signerName "example.com/own"';
  assert.deepEqual(await approve(allowing("approve other.com/*", "sign example.com/own")), [
    403,
    `certificatesigningrequests.certificates.k8s.io "jane" is forbidden: ${why}`,
  ]);
  assert.equal((await approve(allowing("approve example.com/own")))[0], 200);
  assert.equal((await approve(allowing("approve example.com/*")))[0], 200);
});

test("[ADM42] only those sign who may for the signer; anybody may write a status without a change", async () => {
  const sign = async (authorize: Authorizer, certificate: string): Promise<readonly unknown[]> => {
    await using rig = await startAdmissionRig({ authorize });
    const { body } = await rig.call("POST", path, asking("jane", noRequest, "example.com/own"));
    const answer = await rig.call("PUT", `${path}/jane/status`, { ...body, status: certificate === "" ? {} : { certificate } });
    return [answer.status, answer.status === 200 ? objectField(answer.body, "status") : answer.body["message"]];
  };
  const certificate = Buffer.from("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").toString("base64");
  const why = 'user not permitted to sign requests with signerName "example.com/own"';
  assert.deepEqual(await sign(allowing("approve example.com/own"), certificate), [
    403,
    `certificatesigningrequests.certificates.k8s.io "jane" is forbidden: ${why}`,
  ]);
  assert.deepEqual(await sign(allowing("sign example.com/own"), certificate), [200, { certificate }]);
  assert.deepEqual(await sign(allowing(), ""), [200, {}]);
});
