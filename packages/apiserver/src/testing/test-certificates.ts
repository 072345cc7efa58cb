import { systemClock } from "@kaji/core";
import { seededRandom } from "@kaji/core/testing";
import type { Certificate } from "../tls/certificate.ts";
import { createAuthority, issueServing } from "../tls/certificate-authority.ts";

/** An authority, and a certificate that it has signed, for the loopback address unless other names are given. */
export interface TestCertificates {
  readonly authority: Certificate;
  readonly serving: Certificate;
}

/** Makes certificates for a test that needs a connection with TLS. */
export function createTestCertificates(names: readonly string[] = ["localhost", "127.0.0.1"]): TestCertificates {
  const options = { clock: systemClock, random: seededRandom(1) };
  const authority = createAuthority("test", options);
  return { authority, serving: issueServing(authority, names, options) };
}
