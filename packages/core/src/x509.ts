export {
  alternativeNames,
  alternativeNamesId,
  authorityConstraints,
  authorityKeyIdentifier,
  extendedKeyUsage,
  keyUsage,
  leafConstraints,
  subjectKeyIdentifier,
} from "./x509/certificate-extension.ts";
export type { KeyUsage } from "./x509/certificate-extension.ts";
export { objectIdentifier } from "./x509/der.ts";
export { DerError, readDer } from "./x509/der-reader.ts";
export type { DerValue } from "./x509/der-reader.ts";
export { distinguishedName, organizationsOf } from "./x509/distinguished-name.ts";
export { issueAuthority, issueLeaf } from "./x509/issue-certificate.ts";
export type { Issuance, IssuedCertificate } from "./x509/issue-certificate.ts";
export { fromPem, toPem } from "./x509/pem.ts";
export { signCertificate, skewMs, subjectOf } from "./x509/sign-certificate.ts";
export type { CertificateDraft, CertificateIssuer } from "./x509/sign-certificate.ts";
