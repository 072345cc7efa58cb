import { ParseError } from "../error/parse-error.ts";

/** How a quantity is written: `12M`, `12Mi` or `12e6`. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** What the text of a quantity says: `mantissa × 10^scale`. */
export interface ParsedQuantity {
  readonly mantissa: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Whether apimachinery would hold it in an int64 with a scale, and not as a decimal of any size. */
  readonly small: boolean;
  /** The text itself, where apimachinery takes it for canonical without looking closely (`+1`, `1.500`) and writes it back. */
  readonly text?: string;
}

/** One adjacent run of digits only, so that no text makes it backtrack. */
const grammar = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?$/;

const formatWrong = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const numberWrong = "unable to parse numeric part of quantity";
const suffixWrong = "unable to parse quantity's suffix";

const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

const nanoScale = -9;
const mostDigitsOfInt64 = 18;
const mostOfBinary = 2n ** 63n - 1n;
/** Powers of ten beyond it are refused: an exponent of ten digits is short to write and would take gigabytes to compute. */
const largestShift = 10_000;

/** Reads `1500m`, `1.5Gi` or `12e6`, refusing what apimachinery refuses, in its words. */
export function parseQuantity(text: string): ParsedQuantity {
  const match = text === "" ? null : grammar.exec(text);
  if (match === null) throw new ParseError(formatWrong);
  const [, sign, whole = "", fraction = "", suffix = ""] = match;
  const unit = readSuffix(suffix);
  const number = { negative: sign === "-", integer: whole.replace(/^0+/, "") || "0", fraction };
  const small = unit.format === "BinarySI" ? smallBinary(text, number, unit.exponent) : smallDecimal(text, number, unit);
  if (small !== undefined) return small;
  if (whole + fraction === "") throw new ParseError(numberWrong);
  return anySize(number, unit);
}

/** The canonical form: no fraction, the largest suffix that loses nothing. */
export function formatQuantity(mantissa: bigint, scale: number, format: QuantityFormat): string {
  if (mantissa === 0n) return "0";
  const binary = format === "BinarySI" ? formatBinary(mantissa, scale) : undefined;
  return binary ?? formatDecimal(mantissa, scale, format === "DecimalExponent");
}

/** `mantissa × 10^scale` as a multiple of `10^target`, rounded away from zero. */
export function rescale(mantissa: bigint, scale: number, target: number): bigint {
  const shift = scale - target;
  if (shift >= 0) return mantissa === 0n ? 0n : mantissa * powerOfTen(shift);
  if (-shift > mantissa.toString().length) return BigInt(Math.sign(Number(mantissa)));
  const divisor = 10n ** BigInt(-shift);
  const quotient = mantissa / divisor;
  if (quotient * divisor === mantissa) return quotient;
  return mantissa > 0n ? quotient + 1n : quotient - 1n;
}

interface NumberText {
  readonly negative: boolean;
  /** Without leading zeros, `0` when there are no digits. */
  readonly integer: string;
  readonly fraction: string;
}

interface Unit {
  readonly format: QuantityFormat;
  /** Of ten, or of two for BinarySI. */
  readonly exponent: number;
}

function readSuffix(suffix: string): Unit {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { format: "DecimalSI", exponent: decimal * 3 + nanoScale };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { format: "BinarySI", exponent: binary * 10 };
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  if (exponent === undefined) throw new ParseError(suffixWrong);
  const value = BigInt(exponent.replace("+", ""));
  if (BigInt.asIntN(64, value) !== value) throw new ParseError(suffixWrong);
  // apimachinery keeps the low 32 bits of an exponent and no more.
  return { format: "DecimalExponent", exponent: Number(BigInt.asIntN(32, value)) };
}

function smallDecimal(text: string, { negative, integer, fraction }: NumberText, { format, exponent }: Unit): ParsedQuantity | undefined {
  const scale = (exponent - fraction.length) | 0;
  const digits = integer + fraction;
  if (digits.length > mostDigitsOfInt64 || scale < nanoScale) return undefined;
  const amount = { mantissa: signed(BigInt(digits), negative), scale, format, small: true };
  const looksCanonical = text === "0" || (scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0"));
  return looksCanonical ? { ...amount, text } : amount;
}

function smallBinary(text: string, { negative, integer, fraction }: NumberText, exponent: number): ParsedQuantity | undefined {
  if (fraction !== "" || integer.length + (exponent * 3) / 10 > 14) return undefined;
  const digits = BigInt(integer);
  const amount = { mantissa: signed(digits << BigInt(exponent), negative), scale: 0, format: "BinarySI", small: true } as const;
  return digits % 8n === 0n ? amount : { ...amount, text };
}

/** Numbers of any size become multiples of a nano; a binary one stops at what an int64 holds. */
function anySize({ negative, integer, fraction }: NumberText, { format, exponent }: Unit): ParsedQuantity {
  const binary = format === "BinarySI";
  const digits = BigInt(integer + fraction) << BigInt(binary ? exponent : 0);
  const scale = (binary ? 0 : exponent) - fraction.length;
  if (digits !== 0n && scale - nanoScale > largestShift) throw new ParseError(numberWrong);
  const nanos = rescale(digits, scale, nanoScale);
  if (binary && nanos > mostOfBinary * 10n ** 9n) return { mantissa: signed(mostOfBinary, negative), scale: 0, format, small: false };
  const fractional = binary && nanos < 10n ** 9n && nanos > 0n;
  return { mantissa: signed(nanos, negative), scale: nanoScale, format: fractional ? "DecimalSI" : format, small: false };
}

function formatDecimal(mantissa: bigint, scale: number, asExponent: boolean): string {
  const digits = mantissa.toString();
  let length = digits.length;
  while (digits[length - 1] === "0") length--;
  const exponent = scale + digits.length - length;
  const zeros = ((exponent % 3) + 3) % 3;
  const thousands = exponent - zeros;
  // Beyond E apimachinery has no suffix and writes none, which loses the exponent.
  const suffix = asExponent ? (thousands === 0 ? "" : `e${thousands}`) : (decimalSuffixes[(thousands - nanoScale) / 3] ?? "");
  return digits.slice(0, length) + "0".repeat(zeros) + suffix;
}

/** Undefined for a fraction or less than 1Ki, which are written in decimal. */
function formatBinary(mantissa: bigint, scale: number): string | undefined {
  let amount = rescale(mantissa, scale, 0);
  const whole = scale >= 0 || amount * 10n ** BigInt(-scale) === mantissa;
  if (!whole || (amount > -1024n && amount < 1024n)) return undefined;
  let times = 0;
  for (; amount % 1024n === 0n; times++) amount /= 1024n;
  return `${amount}${binarySuffixes[times] ?? ""}`;
}

function signed(magnitude: bigint, negative: boolean): bigint {
  return negative ? -magnitude : magnitude;
}

function powerOfTen(exponent: number): bigint {
  if (exponent > largestShift) throw new RangeError(`a quantity with ${exponent} digits is too large to compute with`);
  return 10n ** BigInt(exponent);
}
