import { X509Certificate, createPrivateKey } from "node:crypto";

/** Why a certificate and a private key are not a pair, as Go says it; undefined when they are. */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const certificateTypes = pemTypes(certificate);
  if (certificateTypes.length === 0) return "tls: failed to find any PEM data in certificate input";
  if (!certificateTypes.includes("CERTIFICATE")) {
    if (certificateTypes.length === 1 && certificateTypes.every((type) => type.endsWith("PRIVATE KEY"))) {
      return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
    }
    return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${certificateTypes.join(" ")}]`;
  }
  const keyTypes = pemTypes(key);
  if (keyTypes.length === 0) return "tls: failed to find any PEM data in key input";
  if (!keyTypes.some((type) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"))) {
    if (keyTypes.length === 1 && keyTypes.includes("CERTIFICATE")) {
      return "tls: found a certificate rather than a key in the PEM for the private key";
    }
    return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${keyTypes.join(" ")}]`;
  }
  return mismatch(certificate, key);
}

function mismatch(certificate: string, key: string): string | undefined {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
      ? undefined
      : "tls: private key does not match public key";
  } catch {
    return "tls: failed to parse private key";
  }
}

/** The types of the blocks, line by line: an expression over the whole text could look for an end from every beginning anew. */
function pemTypes(text: string): readonly string[] {
  const types: string[] = [];
  let begun: string | undefined;
  for (const line of text.split("\n")) {
    const [, word, type = ""] = /^-----(BEGIN|END) ([^-]+)-----\s*$/.exec(line) ?? [];
    if (word === "END" && type === begun) types.push(type);
    if (word !== undefined) begun = word === "BEGIN" ? type : undefined;
  }
  return types;
}
