/** How every API key begins. A credential that begins otherwise is a token. */
export const apiKeyPrefix = 'postern_live_';
