import { gzipSync } from 'node:zlib';
import { Router } from 'express';
import { openApiDocument } from './document.js';
import { readExamples } from './examples.js';
import { referencePage } from './reference-page.js';
import { type GzipFile, gzipFile, sendGzip } from './send-gzip.js';

/**
 * `GET /openapi.json`, made when it is first asked for, and the page at `/docs` that shows it, where the viewer's folder is given. They are
 * the same for all callers and tell nothing of this instance, so they need no credential.
 */
export function openApiRoutes(viewer: string | undefined): Router {
  let made: GzipFile | undefined;
  const router = Router({ caseSensitive: true, strict: true }).get('/openapi.json', (req, res) => {
    made ??= gzipFile(gzipSync(JSON.stringify(openApiDocument(readExamples()))));
    sendGzip(req, res.type('application/json'), made);
  });
  if (viewer !== undefined) router.use(referencePage(viewer));
  return router;
}
