/** The version that the MCP server reports (specification, section 9). It is not the package's version. */
export const serverVersion = '0.1.0';

export const userAgent = `postern/${serverVersion}`;
