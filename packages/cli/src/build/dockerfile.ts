/** An image of what `kaji build` makes: Node and the bundle, no shell, no root. The flags of a Deployment come after the entry point. */
export const dockerfile = `FROM gcr.io/distroless/nodejs24-debian12:nonroot
WORKDIR /operator
COPY dist/ ./
ENV NODE_ENV=production
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "--enable-source-maps", "/operator/main.js"]
`;
