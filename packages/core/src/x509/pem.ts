/** Bytes as a block of PEM, such as a `CERTIFICATE`. */
export function toPem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** The bytes of the first block of a kind in a text of PEM; undefined if there is none. */
export function fromPem(label: string, text: string): Uint8Array | undefined {
  const [, base64] = new RegExp(`-----BEGIN ${label}-----([^-]*)-----END ${label}-----`).exec(text) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, "base64");
}
