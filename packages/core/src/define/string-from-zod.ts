import { z } from "zod";
import { ParseError } from "../error/parse-error.ts";
import { parsePattern } from "./pattern.ts";
import { formatPattern } from "./pattern-text.ts";
import type { SchemaPlace } from "./schema-place.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { refuseCheck } from "./zod-check.ts";

/** Formats that zod checks with more than a regular expression, and what to write in their place. */
const refusedFormats: Readonly<Record<string, string>> = {
  datetime: "k.time()",
  duration: 'k.duration(), which is a span such as "1h30m"',
  url: 'z.string().regex(/^https:\\/\\//) or z.string().check(k.rule("isURL(self)"))',
  ipv6: 'z.string().check(k.rule("isIP(self) && ip(self).family() == 6"))',
  cidrv6: 'z.string().check(k.rule("isCIDR(self) && cidr(self).ip().family() == 6"))',
  hostname: "k.dnsSubdomain()",
  emoji: "z.string()",
  jwt: "z.string()",
  credit_card: "z.string().regex(…)",
  iban: "z.string().regex(…)",
};

/** The schema of a `z.string()` and of each of its formats. */
export function stringFromZod(checks: readonly z.core.$ZodCheck[], place: SchemaPlace): StructuralSchema {
  let minLength = 0;
  let maxLength = Infinity;
  const patterns = new Set<string>();
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    if (def.check === "min_length") minLength = Math.max(minLength, def.minimum);
    else if (def.check === "max_length") maxLength = Math.min(maxLength, def.maximum);
    else if (def.check === "length_equals") [minLength, maxLength] = [Math.max(minLength, def.length), Math.min(maxLength, def.length)];
    else if (def.check === "string_format") {
      const pattern = patternOfFormat(def, place);
      if (pattern !== undefined) patterns.add(pattern);
    } else refuseCheck(check, place);
  }
  const [pattern, ...further] = patterns;
  return {
    type: "string",
    ...(minLength > 0 ? { minLength } : {}),
    ...(maxLength < Infinity ? { maxLength } : {}),
    ...(pattern === undefined ? {} : { pattern }),
    ...(further.length === 0 ? {} : { allOf: further.map((each) => ({ pattern: each })) }),
  };
}

function patternOfFormat(def: z.core.$ZodCheckStringFormatDef, place: SchemaPlace): string | undefined {
  const { format } = def;
  const remedy = Object.hasOwn(refusedFormats, format) ? refusedFormats[format] : undefined;
  if (remedy !== undefined) {
    place.report(`the format "${format}" of zod is not one that the server can check; use ${remedy}`);
    return undefined;
  }
  const regex = regexOfFormat(def);
  if (regex === undefined) {
    place.report(`the format "${format}" is checked by a function, which the server cannot call; use .regex(…) or .check(k.rule(…))`);
    return undefined;
  }
  return serverPattern(regex, place);
}

function regexOfFormat(def: z.core.$ZodCheckStringFormatDef): RegExp | undefined {
  // `.includes(text, position)` counts in UTF-16 units, a pattern in characters.
  if ("position" in def && def.position !== undefined) return undefined;
  // For these two zod keeps a pattern that is looser than its check.
  if (def.format === "base64") return z.regexes.base64;
  if (def.format === "base64url") return z.regexes.base64url;
  return def.pattern;
}

function serverPattern(regex: RegExp, place: SchemaPlace): string | undefined {
  const flags = regex.flags.replaceAll(/[dgu]/g, "");
  if (flags !== "") {
    place.report(
      `the pattern ${String(regex)} has the flag "${flags}", which the server's patterns do not have; write the pattern without it`,
    );
    return undefined;
  }
  try {
    return formatPattern(parsePattern(regex.source));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    place.report(`the server cannot read the pattern ${String(regex)}: ${error.message}; simplify it, or use .check(k.rule(…))`);
    return undefined;
  }
}
