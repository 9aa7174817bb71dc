/** The version that the MCP server reports (specification, section 9); it is the protocol face's, not the package's. */
export const serverVersion = '0.1.0';

export const userAgent = `postern/${serverVersion}`;
