/** The version of this package. */
const version = "0.1.0";

/** How a client presents itself unless told otherwise; servers take the part before the slash for the default field manager. */
export const defaultUserAgent: string = `kaji/${version} (${process.platform}/${process.arch})`;
