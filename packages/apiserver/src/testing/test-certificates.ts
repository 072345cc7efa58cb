import { systemClock } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import type { Certificate } from "../tls/certificate.ts";
import { createAuthority, issueServing } from "../tls/certificate-authority.ts";

/** An authority, and a certificate for the loopback address that it has signed. */
export interface TestCertificates {
  readonly authority: Certificate;
  readonly serving: Certificate;
}

/** Makes certificates for a test that needs a connection with TLS. */
export async function createTestCertificates(): Promise<TestCertificates> {
  const options = { clock: systemClock, random: seededRandom(1) };
  const authority = await createAuthority("test", options);
  return { authority, serving: await issueServing(authority, ["localhost", "127.0.0.1"], options) };
}
