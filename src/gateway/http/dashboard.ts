import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { codeOfError } from '../../shared/errors/code-of-error.js';

/** What is served here that is no page: there a browser gets the same answers as every other caller. */
const ownPaths = [
  ...['/api', '/trpc', '/mcp', '/healthz', '/readyz', '/metrics'],
  ...['/assets', '/openapi.json', '/docs', '/download'],
];

/** A page runs scripts and styles of this server alone, none of them inline, and talks to nobody else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  // With `no-referrer` a browser may hide the origin of a form from this very server (Fetch, 3.2).
  'referrer-policy': 'same-origin',
  // The same address is no page to a program.
  vary: 'accept',
};

/** Names of assets have a hash of their content. */
const forever = 'public, max-age=31536000, immutable';

/** A file of the dashboard, in each form that it was built in. */
interface Asset {
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
  /** Of the plain form, in hex. */
  readonly hash: string;
}

/**
 * Serves the built dashboard: its files, and its one page for every navigation to an address that nothing else has. All of it is
 * read at the start, about a megabyte: so a build beside a running server does not mix old and new. Passes on what is no page; all
 * requests, where the folder has none.
 */
export function dashboard(folder: string): RequestHandler {
  const assets = readAssets(folder);
  const page = assets.get('/index.html');
  if (page === undefined) return (_req, _res, next) => next();
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    const asset = req.path === '/index.html' ? undefined : assets.get(req.path);
    if (asset !== undefined) {
      res.set('cache-control', req.path.startsWith('/assets/') ? forever : 'no-cache');
      return send(req, res.type(path.extname(req.path)), asset);
    }
    if (!isNavigation(req)) return next();
    send(req, res.set(pageHeaders).type('html'), page);
  };
}

function isNavigation(req: Request): boolean {
  const wanted = req.path.toLowerCase();
  const isOwn = ownPaths.some((own) => wanted === own || wanted.startsWith(`${own}/`));
  return !isOwn && /\btext\/html\b/i.test(req.headers.accept ?? '');
}

/** Sends the smallest form that the caller takes; 304 where it has it already. */
function send(req: Request, res: Response, { plain, br, gzip, hash }: Asset): void {
  const forms = [
    ['br', br],
    ['gzip', gzip],
  ] as const;
  const [encoding, bytes] = forms.find(([name, form]) => form && req.acceptsEncodings(name) === name) ?? [null, plain];
  if (br !== undefined || gzip !== undefined) res.vary('accept-encoding');
  if (encoding !== null) res.set('content-encoding', encoding);
  res.set('etag', `"${hash}${encoding === null ? '' : `-${encoding}`}"`).send(bytes);
}

/** The files of a folder by their paths; none where there is no folder. */
function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const files = new Map<string, Buffer>();
  for (const { name, parentPath } of filesIn(folder)) {
    const file = path.join(parentPath, name);
    if (!name.startsWith('.'))
      files.set(`/${path.relative(folder, file).replaceAll(path.sep, '/')}`, readFileSync(file));
  }
  const plain = [...files].filter(([at]) => !/\.(?:br|gz)$/.test(at));
  return new Map(
    plain.map(([at, bytes]) => {
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
      return [at, { plain: bytes, br: files.get(`${at}.br`), gzip: files.get(`${at}.gz`), hash }];
    }),
  );
}

function filesIn(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  } catch (error) {
    if (codeOfError(error) === 'ENOENT') return [];
    throw error;
  }
}
