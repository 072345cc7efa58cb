/** One value that was read from DER. */
export interface DerValue {
  readonly tag: number;
  readonly contents: Uint8Array;
  /** The whole value, with its tag and length. */
  readonly bytes: Uint8Array;
}

/** Bytes are not DER. */
export class DerError extends Error {
  override readonly name = "DerError";
}

/** The values that stand one after the other: of a sequence or a set, its contents are given. */
export function readDer(bytes: Uint8Array): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const value = valueAt(bytes, at);
    values.push(value);
    at += value.bytes.length;
  }
  return values;
}

function valueAt(bytes: Uint8Array, at: number): DerValue {
  const [tag = 0, first = 0x80] = bytes.subarray(at, at + 2);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  // Longer than 4 bytes is no length of a certificate, and none at all is the indefinite form, which DER does not have.
  if ((first >= 0x80 && (lengthBytes === 0 || lengthBytes > 4)) || start > bytes.length) throw new DerError("not a value in DER");
  const length = first < 0x80 ? first : bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  if (start + length > bytes.length) throw new DerError("a value in DER is cut off");
  return { tag, contents: bytes.subarray(start, start + length), bytes: bytes.subarray(at, start + length) };
}
