/** What an Ed25519 key begins with in PKCS #8; its 32 bytes follow. */
const prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs the tokens of service accounts in tests, in PEM. It keeps no secret: it is the same everywhere and chance has no part in what it signs, so that a run can be repeated. */
export const tokenKey: string = [
  "-----BEGIN PRIVATE KEY-----",
  Buffer.concat([prefix, Buffer.alloc(32, "kaji")]).toString("base64"),
  "-----END PRIVATE KEY-----",
].join("\n");
