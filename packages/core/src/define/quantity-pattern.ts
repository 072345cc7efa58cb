/** What a schema demands of an amount such as `500m` or `1.5Gi` where it is text. */
export const quantityPattern: RegExp = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/;
