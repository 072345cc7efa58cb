export { notEnumerated } from "./error/field-error.ts";
export { joinMessages } from "./go/aggregate.ts";
export { compareGoStrings, formatGo, formatGoFloat, goType } from "./go/go-format.ts";
export { formatGoKind } from "./go/go-kind.ts";
export { quote } from "./go/go-quote.ts";
export { formatGoUrl, hostnameOf, parseGoUrl, parseRequestUri, portOf, queryOf, requestUriError } from "./go/go-url.ts";
export type { GoUrl } from "./go/go-url.ts";
export { formatIpAddress, isMapped, maskedPrefix, parseIpAddress, parseIpPrefix, prefixContains, widthOf } from "./go/ip-address.ts";
export type { IpAddress, IpPrefix } from "./go/ip-address.ts";
