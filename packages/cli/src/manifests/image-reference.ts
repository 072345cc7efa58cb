const component = String.raw`[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*`;
const host = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\])(?::\d+)?`;
const digest = String.raw`[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}`;
const reference = new RegExp(String.raw`^(?:${host}/)?${component}(?:/${component})*(?::\w[\w.-]{0,127})?(?:@${digest})?$`);

/** Whether a kubelet could read the name of an image: `registry.example.com:5000/bars:1.2.3`. API servers take any text. */
export function isImageReference(text: string): boolean {
  return reference.test(text);
}
