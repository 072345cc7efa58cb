/** All of a body in one piece; a body that came in one is not copied. */
export async function bodyBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const [first, ...rest] = pieces;
  if (first === undefined) return new Uint8Array(0);
  return rest.length === 0 ? first : Buffer.concat(pieces);
}

/** Bytes as text. */
export function bytesText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
