const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const host = `(?:${label}(?:\\.${label})*|\\[[0-9a-fA-F:]+\\])(?::\\d+)?`;
const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const pattern = new RegExp(`^(?:${host}/)?${component}(?:/${component})*(?::\\w[\\w.-]{0,127})?(?:@${digest})?$`);

/** Whether a container engine could pull an image by this name: `[HOST/]PATH[:TAG][@DIGEST]`. */
export function isImageReference(text: string): boolean {
  // 64 hexadecimal digits are the name of an image that was pulled already.
  return pattern.test(text) && !/^[0-9a-f]{64}$/.test(text);
}
