/** The head of a message, or a part of it, as Node is to write it: one character for each byte of the text in UTF-8. The low byte of a letter alone could be a line break. */
export function sentHeader(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** The text of such a part that Node has read, which has one character for each byte; as everywhere in Kubernetes, the bytes are UTF-8. */
export function receivedHeader(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, "latin1").toString("utf8");
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- finds all that is not ASCII
  return /^[\x00-\x7f]*$/.test(text);
}
