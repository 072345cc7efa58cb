/** The tags of the values that certificates are made of. */
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
};

/** One value in DER, the binary form of certificates: a tag, the length of the contents, and the contents. */
export function derValue(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, each) => sum + each.length, 0);
  return Buffer.concat([Uint8Array.of(tag), encodedLength(length), ...contents]);
}

export function sequence(...values: readonly Uint8Array[]): Uint8Array {
  return derValue(tags.sequence, ...values);
}

export function set(value: Uint8Array): Uint8Array {
  return derValue(tags.set, value);
}

/** A positive integer, in hexadecimal. */
export function integer(hex: string): Uint8Array {
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`;
  // The first bit is the sign.
  return derValue(tags.integer, Buffer.from(/^[89a-f]/i.test(digits) ? `00${digits}` : digits, "hex"));
}

export function trueValue(): Uint8Array {
  return derValue(tags.boolean, Uint8Array.of(0xff));
}

/** Of the last byte, some bits may be unused. */
export function bitString(bytes: Uint8Array, unusedBits = 0): Uint8Array {
  return derValue(tags.bitString, Uint8Array.of(unusedBits), bytes);
}

export function octetString(bytes: Uint8Array): Uint8Array {
  return derValue(tags.octetString, bytes);
}

export function utf8String(text: string): Uint8Array {
  return derValue(tags.utf8String, Buffer.from(text));
}

/** An object identifier from its usual form, such as `2.5.4.3`. */
export function objectIdentifier(text: string): Uint8Array {
  const [first = 0, second = 0, ...others] = text.split(".").map(Number);
  return derValue(tags.objectIdentifier, Uint8Array.from([first * 40 + second, ...others].flatMap(base128)));
}

/** A moment, to the second: with two digits for the years that certificates write so, 1950 to 2049. */
export function time(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replace(/\.\d+/, "").replaceAll(/[-:T]/g, "");
  const year = Number(digits.slice(0, 4));
  const isShort = year >= 1950 && year < 2050;
  return derValue(isShort ? tags.utcTime : tags.generalizedTime, Buffer.from(isShort ? digits.slice(2) : digits));
}

/** Up to 127 in one byte; else the number of the bytes that follow, and those. */
function encodedLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Uint8Array.of(0x80 | bytes.length, ...bytes);
}

/** Seven bits a byte; all bytes but the last one have the eighth bit. */
function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}
