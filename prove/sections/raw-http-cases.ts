/** Bytes that no HTTP library sends. */
export interface RawCase {
  readonly name: string;
  readonly bytes: string | Buffer;
  /** Responses that the bytes may ask for; default 1. */
  readonly responses?: number;
  /** First statuses that are right; absent: any but a 5xx. */
  readonly allowed?: readonly number[];
}

/** Cases for a server at `host`. Requests end with `Connection: close` where they are well-formed. */
export function rawCases(host: string, key: string): RawCase[] {
  const head = (request: string, ...headers: string[]) =>
    `${[`${request} HTTP/1.1`, `Host: ${host}`, ...headers].join('\r\n')}\r\n\r\n`;
  const post = (...headers: string[]) => head('POST /mcp', 'Content-Type: application/json', ...headers);
  const get = (target: string, ...headers: string[]) => head(`GET ${target}`, 'Connection: close', ...headers);
  const bearer = `Authorization: Bearer ${key}`;
  const chunked = 'Transfer-Encoding: chunked';
  const refused = [400];
  return [
    // RFC 9112, 6.3: two ways to say where a body ends let a proxy and a server disagree.
    { name: 'CL and TE', bytes: `${post('Content-Length: 4', chunked)}0\r\n\r\n`, allowed: refused },
    { name: 'TE twice', bytes: `${post(chunked, 'Transfer-Encoding: identity')}0\r\n\r\n`, allowed: [400, 501] },
    { name: 'TE obfuscated', bytes: `${post('Transfer-Encoding: xchunked')}0\r\n\r\n`, allowed: [400, 411, 415, 501] },
    {
      name: 'TE with a space before the colon',
      bytes: `${post('Transfer-Encoding : chunked')}0\r\n\r\n`,
      allowed: refused,
    },
    { name: 'two lengths', bytes: `${post('Content-Length: 2', 'Content-Length: 3')}{}x`, allowed: refused },
    { name: 'list of lengths', bytes: `${post('Content-Length: 2, 2')}{}`, allowed: refused },
    { name: 'negative length', bytes: `${post('Content-Length: -1')}{}`, allowed: refused },
    { name: 'length with a sign', bytes: `${post('Content-Length: +2')}{}`, allowed: refused },
    { name: 'length of 30 digits', bytes: `${post(`Content-Length: ${'9'.repeat(30)}`)}{}`, allowed: [400, 413] },
    { name: 'chunk size is no number', bytes: `${post(chunked)}zz\r\nhello\r\n0\r\n\r\n`, allowed: refused },
    { name: 'chunk size overflows', bytes: `${post(chunked)}${'f'.repeat(20)}\r\nx`, allowed: [400, 413] },
    { name: 'chunk without its end', bytes: `${post(chunked)}2\r\n{}XX0\r\n\r\n`, allowed: refused },
    { name: 'chunk extension of 32 kB', bytes: `${post(chunked)}2;${'a'.repeat(32_768)}\r\n{}\r\n0\r\n\r\n` },
    { name: 'bare LF', bytes: `GET /healthz HTTP/1.1\nHost: ${host}\n\n` },
    { name: 'header of 32 kB', bytes: get('/healthz', `X-Long: ${'a'.repeat(32_768)}`), allowed: [400, 431] },
    { name: '5,000 headers', bytes: get('/healthz', ...Array.from({ length: 5_000 }, (_, n) => `X-${n}: 1`)) },
    { name: 'NUL in a header', bytes: get('/healthz', 'X-Nul: a\0b'), allowed: refused },
    { name: 'CR in a header', bytes: get('/healthz', 'X-Cr: a\rX-Other: b'), allowed: refused },
    { name: 'folded header', bytes: get('/healthz', 'X-Fold: a\r\n b'), allowed: [200, 400] },
    { name: 'header without a name', bytes: get('/healthz', ': x'), allowed: refused },
    { name: 'bad UTF-8 in a header', bytes: Buffer.from(get('/api/org', 'X-Bad: \xff\xfe'), 'latin1') },
    { name: 'bad UTF-8 in a key', bytes: Buffer.from(get('/api/org', 'Authorization: Bearer \xff\xfe'), 'latin1') },
    { name: 'bad UTF-8 in a path', bytes: Buffer.from(get('/api/\xff\xfe', bearer), 'latin1') },
    { name: 'NUL in a path', bytes: get('/api/projects/a%00b', bearer) },
    { name: 'broken percent encoding', bytes: get('/api/projects/%E0%A4%A', bearer) },
    { name: 'encoded slash', bytes: get('/api/projects/..%2F..%2Forg', bearer), allowed: [400, 404, 422] },
    { name: 'traversal', bytes: get('/api/projects/../../../etc/passwd', bearer), allowed: [400, 404] },
    { name: 'path of 60 kB', bytes: get(`/${'a'.repeat(60_000)}`), allowed: [400, 404, 414, 431] },
    {
      name: 'query of 10 kB',
      bytes: get(`/api/projects?page=${'1'.repeat(10_000)}`, bearer),
      allowed: [400, 422, 429],
    },
    { name: 'query parameter 200 times', bytes: get(`/api/projects?${'page=1&'.repeat(200)}`, bearer) },
    { name: 'query with brackets', bytes: get('/api/projects?page[__proto__][x]=1', bearer) },
    { name: 'no Host', bytes: 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', allowed: refused },
    // RFC 9112, 3.2: more than one Host line must be refused, and in absolute form the authority counts.
    { name: 'two Hosts', bytes: get('/api/org', 'Host: evil.example', bearer), allowed: refused },
    { name: 'foreign authority', bytes: get('http://evil.example/api/org', bearer), allowed: [400, 403, 421] },
    {
      name: 'foreign Host',
      bytes: `GET /api/org HTTP/1.1\r\nHost: evil.example\r\n${bearer}\r\n\r\n`,
      allowed: [400, 403, 421],
    },
    { name: 'TRACE', bytes: head('TRACE /api/org', bearer, 'Connection: close'), allowed: [400, 403, 404, 405, 501] },
    { name: 'CONNECT', bytes: `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n` },
    { name: 'unknown method', bytes: head('BREW /api/org', 'Connection: close'), allowed: [400, 404, 405, 501] },
    { name: 'HTTP/0.9', bytes: 'GET /healthz\r\n\r\n', allowed: [200, 400, 505] },
    { name: 'HTTP/9.9', bytes: 'GET /healthz HTTP/9.9\r\n\r\n', allowed: [400, 505] },
    { name: 'HTTP/2 preface', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
    { name: 'TLS hello', bytes: Buffer.from('16030100a5010000a10303', 'hex') },
    { name: 'random bytes', bytes: Buffer.from(Array.from({ length: 512 }, (_, n) => (n * 37) % 256)) },
    { name: 'unknown expectation', bytes: `${post('Expect: 200-maybe', 'Content-Length: 2')}{}`, allowed: [400, 417] },
    { name: 'upgrade', bytes: get('/mcp', 'Upgrade: websocket', 'Connection: Upgrade') },
    {
      name: 'two requests at once',
      bytes: `${head('GET /healthz')}${get('/mcp/health')}`,
      ...{ responses: 2, allowed: [200] },
    },
  ];
}
