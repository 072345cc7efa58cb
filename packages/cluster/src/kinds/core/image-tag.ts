/** The tag of an image's name: `latest` where it has neither a tag nor a digest, empty where it cannot be understood. */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return "";
  const { domain, remainder } = splitDomain(image);
  const [repository = ""] = remainder.split(":");
  if (repository !== repository.toLowerCase()) return "";
  const parts = reference.exec(`${domain}/${remainder}`)?.groups;
  if (parts === undefined || (parts["name"] ?? "").length > longestName) return "";
  const { tag = "", digest } = parts;
  if (digest !== undefined) return isDigest(digest) ? tag : "";
  return tag === "" ? "latest" : tag;
}

const longestName = 255;
const dockerHub = "docker.io";

const domainPart = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const host = `(?:${domainPart}(?:\\.${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathPart = "[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*";
const digestPattern = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const reference = new RegExp(
  `^(?<name>${host}/${pathPart}(?:/${pathPart})*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>${digestPattern}))?$`,
);

/** Hexadecimal digits of the algorithms that are known. */
const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

function isDigest(digest: string): boolean {
  const [algorithm = "", hex = ""] = digest.split(":");
  return digestLengths[algorithm] === hex.length && /^[a-f0-9]+$/.test(hex);
}

/** What is before the first slash is a host only if it looks like one; otherwise the image is of Docker Hub. */
function splitDomain(image: string): { readonly domain: string; readonly remainder: string } {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const isHost = first === "localhost" || /[.:]/.test(first) || first.toLowerCase() !== first;
  const domain = isHost && first !== "index.docker.io" ? first : dockerHub;
  const remainder = isHost ? image.slice(slash + 1) : image;
  return { domain, remainder: domain === dockerHub && !remainder.includes("/") ? `library/${remainder}` : remainder };
}
