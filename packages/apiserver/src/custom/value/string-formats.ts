import { parseFormatDuration, requestUriError } from "@kaji/core/go";
import { isCidr, isIpAddress } from "./ip-address.ts";
import { isMailAddress } from "./mail-address.ts";

/** Says whether a text is of a format. */
export type FormatCheck = (text: string) => boolean;

/** The check of a format by its name, in which hyphens do not count; undefined for formats that mean nothing to the server. */
export function stringFormat(name: string): FormatCheck | undefined {
  return formats.get(name.replaceAll("-", ""));
}

const hex = "[0-9a-f]";
const color = String.raw`[\t\n\f\r ]*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*`;
const name = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const shortName = new RegExp(`^${name}$`);
const longName = new RegExp(`^${name}(?:\\.${name})*$`);

/** As kube-openapi's strfmt has them. */
const formats: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ["bsonobjectid", matches(/^[0-9a-fA-F]{24}$/)],
  ["uri", (text) => requestUriError(text) === undefined],
  ["email", isMailAddress],
  ["hostname", isHostname],
  ["ipv4", (text) => text.includes(".") && isIpAddress(text, "ignored")],
  ["ipv6", (text) => text.includes(":") && isIpAddress(text, "refused")],
  ["cidr", isCidr],
  ["mac", isMac],
  ["uuid", matches(new RegExp(`^${hex}{8}-?${hex}{4}-?${hex}{4}-?${hex}{4}-?${hex}{12}$`, "i"))],
  ["uuid3", matches(new RegExp(`^${hex}{8}-?${hex}{4}-?3${hex}{3}-?${hex}{4}-?${hex}{12}$`, "i"))],
  ["uuid4", matches(new RegExp(`^${hex}{8}-?${hex}{4}-?4${hex}{3}-?[89ab]${hex}{3}-?${hex}{12}$`, "i"))],
  ["uuid5", matches(new RegExp(`^${hex}{8}-?${hex}{4}-?5${hex}{3}-?[89ab]${hex}{3}-?${hex}{12}$`, "i"))],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matches(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ["hexcolor", matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", matches(new RegExp(`^rgb\\(${color},${color},${color}\\)$`))],
  ["byte", matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ["password", () => true],
  ["date", isDate],
  ["duration", (text) => parseFormatDuration(text) !== undefined],
  ["datetime", isDateTime],
  ["k8sshortname", (text) => text.length <= 63 && shortName.test(text)],
  ["k8slongname", (text) => text.length <= 253 && longName.test(text)],
]);

function matches(pattern: RegExp): FormatCheck {
  return (text) => pattern.test(text);
}

/** As a literal it is compiled when it is first needed. */
const hostname =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

function isHostname(text: string): boolean {
  return hostname.test(text) && Buffer.byteLength(text) <= 255 && text.split(".").every((part) => Buffer.byteLength(part) <= 63);
}

/** 6, 8 or 20 bytes: each by itself with colons or hyphens between them, in pairs with dots, or without anything between them. */
function isMac(text: string): boolean {
  const [, separator] = /^..([:-])/s.exec(text) ?? [];
  const parts = text.split(separator ?? ".");
  if (separator !== undefined) return [6, 8, 20].includes(parts.length) && parts.every((part) => /^[\da-fA-F]{2}$/.test(part));
  if (parts.length > 1) return [3, 4, 10].includes(parts.length) && parts.every((part) => /^[\da-fA-F]{4}$/.test(part));
  return [12, 16, 40].includes(text.length) && /^[\da-fA-F]*$/.test(text);
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\t\n\f\r -]/g, "");
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (index + 1) * (digit === "X" ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\t\n\f\r -]/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return sum % 10 === 0;
}

const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]/g, "");
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return creditCard.test(digits) && sum % 10 === 0;
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return false;
  // The calendar repeats itself after 400 years, and `Date` takes years below 100 for others.
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= days;
}

function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  const [, hour = "", minute = "", second = ""] = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/u.exec(time ?? "") ?? [];
  return isDate(date) && hour !== "" && hour <= "23" && minute <= "59" && second <= "59";
}
