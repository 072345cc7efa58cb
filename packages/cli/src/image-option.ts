import { UsageError } from "./command.ts";
import type { OptionValues } from "./command.ts";
import { optionalText } from "./option-values.ts";

/** The name of an image, where there is one. A kubelet or a container engine could read it: API servers take any text. */
export async function imageOf(values: OptionValues): Promise<string | undefined> {
  const image = optionalText(values, "image");
  if (image === undefined) return undefined;
  // Loaded only for those who name one.
  const { isImageReference } = await import("@kaji/manifests");
  if (isImageReference(image)) return image;
  throw new UsageError(`--image: '${image}' is not the name of an image, as in registry.example.com/team/bars:1.2.3`);
}
