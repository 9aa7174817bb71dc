import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Router } from 'express';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { type GzipFile, gzipFile, sendGzip } from './send-gzip.js';

/** The page runs the viewer's script and its own, none of them inline, and asks this server alone. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postern API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** No validator of others is asked, and a key that is typed in is forgotten with the page. */
const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
  persistAuthorization: false,
  filter: true,
});
`;

/** `/docs`: a reference page by Swagger UI, from the built viewer in the folder. Where that is not there, nothing is served. */
export function referencePage(folder: string): Router {
  const router = Router();
  const [script, style] = [readGzip(folder, 'swagger-ui.js.gz'), readGzip(folder, 'swagger-ui.css.gz')];
  if (script === null || style === null) return router;
  return router
    .get('/docs', (_req, res) => {
      res
        .set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' })
        .type('html')
        .send(page);
    })
    .get('/docs/start.js', (_req, res) => {
      res.set('Cache-Control', 'no-cache').type('text/javascript').send(start);
    })
    .get('/docs/swagger-ui.js', (req, res) => sendGzip(req, res.type('text/javascript'), script))
    .get('/docs/swagger-ui.css', (req, res) => sendGzip(req, res.type('text/css'), style));
}

function readGzip(folder: string, name: string): GzipFile | null {
  try {
    return gzipFile(readFileSync(path.join(folder, name)));
  } catch (error) {
    if (codeOfError(error) === 'ENOENT') return null;
    throw error;
  }
}
