import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Router } from 'express';
import { openApiDocument } from './document.js';
import { readExamples } from './examples.js';

/** The document as it is sent. It is the same for all callers and tells nothing of this instance, so it needs no credential. */
function documentFile() {
  const text = JSON.stringify(openApiDocument(readExamples()));
  const etag = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { plain: Buffer.from(text), gzip: gzipSync(text), etag };
}

/** `GET /openapi.json`: made when it is first asked for. */
export function openApiRoutes(): Router {
  let made: ReturnType<typeof documentFile> | undefined;
  return Router({ caseSensitive: true, strict: true }).get('/openapi.json', (req, res) => {
    made ??= documentFile();
    const isGzip = req.acceptsEncodings('gzip') === 'gzip';
    res.vary('accept-encoding').set({ 'Cache-Control': 'no-cache', ETag: `"${made.etag}${isGzip ? '-gzip' : ''}"` });
    if (isGzip) res.set('Content-Encoding', 'gzip');
    res.type('application/json').send(isGzip ? made.gzip : made.plain);
  });
}
