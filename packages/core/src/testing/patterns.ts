import fc from "fast-check";
import { z } from "zod";

/** Regular expressions that use all of what JavaScript and the API server share. */
export const patterns: readonly RegExp[] = [
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  /^[A-Z]{3}-\d{2,4}$/,
  /^(?:a|bc|)+?d*?$/,
  /^(?<major>\d+)\.(?<minor>\d+)$/,
  /^[\w.\-+]+@[^\s@]{1,20}$/,
  /^\/[^/]*\/$/,
  /^[[\]\\^]{1,3}$/,
  /^[\d\-x]+\b$/,
  /\Bb\b|^\W\D\S$/,
  /^[^]$/,
  /^\x41\u0042\u{43}$/u,
  /^[µ\u00e0-\u00ff😀]+$/u,
  new RegExp(String.raw`^a\-b\/c\_d\.e\*$`),
  /a{2,}|b{0}|c{1,1}|x{,2}/,
  /^[\t\n\v\f\r\0]$/,
  z.regexes.ipv4,
  z.regexes.date,
  z.regexes.base64,
  z.regexes.uuid(),
  z.regexes.email,
];

/** Texts of which some match a pattern and some do not. */
export function arbitraryTextFor(regex: RegExp): fc.Arbitrary<string> {
  const unit = fc.constantFrom(..."aAbBcdxz019-_./\\^[]@ \t\n\v\u00a0µé😀*{}");
  const near = fc.string({ unit, maxLength: 6 });
  const matching = /\\b/i.test(regex.source) ? near : fc.stringMatching(regex, { size: "small" });
  return fc.oneof(
    near,
    matching,
    matching.chain((text) => near.map((added) => text + added.slice(0, 1))),
  );
}
