import type { ClassMember, Pattern } from "./pattern.ts";

/** A short text that the pattern matches, unless a word boundary inside it stands in the way. */
export function patternExample(pattern: Pattern): string {
  switch (pattern.type) {
    case "Character":
      return String.fromCodePoint(pattern.codePoint);
    case "Any":
      return "a";
    case "Class":
      return classExample(pattern.negated, pattern.members);
    case "Assertion":
      return "";
    case "Group":
      return patternExample(pattern.body);
    case "Repeat":
      return patternExample(pattern.body).repeat(pattern.min);
    case "Sequence":
      return pattern.parts.map(patternExample).join("");
    case "Choice":
      return pattern.options[0] === undefined ? "" : patternExample(pattern.options[0]);
    default:
      return pattern satisfies never;
  }
}

/** The most readable character of the class: a letter, then a digit, then anything printable. */
function classExample(negated: boolean, members: readonly ClassMember[]): string {
  const printable = [
    ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890",
    ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32)),
  ];
  const found = printable.find((text) => members.some((member) => isMember(text, member)) !== negated);
  const [first] = members;
  return found ?? (first?.type === "Range" && !negated ? String.fromCodePoint(first.from) : "");
}

function isMember(text: string, member: ClassMember): boolean {
  if (member.type === "Perl") return new RegExp(`\\${member.letter}`, "u").test(text);
  const codePoint = text.codePointAt(0) ?? 0;
  return codePoint >= member.from && codePoint <= member.to;
}
