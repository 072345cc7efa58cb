/** Go's zero time, the only time that a template may have. */
export function dumpZeroTime(): string {
  return "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";
}

/** Go's `IntOrString`, with the type that it has. */
export function dumpIntOrString(value: unknown): string {
  const isText = typeof value === "string";
  return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : Number(value ?? 0)} StrVal:(string)${isText ? value : ""}}`;
}

/** A quantity as it is when it has been read: an integer, a power of ten, and the text if that is its canonical form. */
export function dumpQuantity(value: unknown): string {
  const { integer, scale, text, format } = parse(typeof value === "string" ? value : "");
  const amount = `{value:(int64)${integer} scale:(resource.Scale)${scale}}`;
  return `{i:(resource.int64Amount)${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`;
}

interface Parsed {
  readonly integer: bigint;
  readonly scale: number;
  /** Empty unless Go keeps it. */
  readonly text: string;
  readonly format: "BinarySI" | "DecimalExponent" | "DecimalSI" | "";
}

const decimalExponents: ReadonlyMap<string, number> = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const binarySuffixes = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

function parse(text: string): Parsed {
  if (text === "") return { integer: 0n, scale: 0, text: "", format: "" };
  if (text === "0") return { integer: 0n, scale: 0, text, format: "DecimalSI" };
  const [, sign = "", whole = "", fraction = "", suffix = ""] = /^([+-]?)0*(\d*)(?:\.(\d*))?(.*)$/.exec(text) ?? [];
  const digits = (whole === "" ? "0" : whole) + fraction;
  const number = BigInt(digits) * (sign === "-" ? -1n : 1n);
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) {
    const isCanonical = (BigInt(digits) & 7n) !== 0n;
    return { integer: number << BigInt(10 * (binary + 1)), scale: 0, text: isCanonical ? text : "", format: "BinarySI" };
  }
  const exponent = decimalExponents.get(suffix);
  const scale = (exponent ?? Number(suffix.slice(1))) - fraction.length;
  const isCanonical = scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
  return { integer: number, scale, text: isCanonical ? text : "", format: exponent === undefined ? "DecimalExponent" : "DecimalSI" };
}
