/** All of a body in one piece; a body that came in one is not copied. For bodies that end: of others a piece is not ours to keep. */
export async function bodyBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const [first, ...rest] = pieces;
  if (first === undefined) return new Uint8Array(0);
  return rest.length === 0 ? first : Buffer.concat(pieces);
}

/** All of a body as text. */
export async function bodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  return bytesText(await bodyBytes(body));
}

/** Bytes as a body of one piece. */
export async function* bodyFromBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Bytes as text. */
export function bytesText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
