import express, { type Response, type Router } from 'express';
import { type PackageArchive, packageArchive } from './package-archive.js';

/**
 * Hands out the package that this server runs from, so that a team without a registry has the command-line tool and the client
 * of its server's own version: `/download/postern.tgz` (RFC 9530 digests in the header), and `.sha256` beside it in the form of
 * sha256sum. Needs no credential: there is nothing in it that is not in every copy. It is packed once, at the start, so that a
 * build beside a running server changes nothing.
 *
 * @param root the folder of the package. Where it has no built package the routes answer 500.
 */
export function download(root: string): Router {
  const packed = packageArchive(root);
  // Who asks for it gets the error.
  packed.catch(() => {});
  const router = express.Router();
  router.get('/download/postern.tgz', async (_req, res) => {
    const archive = await packed;
    revalidated(res, archive).set('repr-digest', digests(archive)).type('application/gzip').send(archive.bytes);
  });
  router.get('/download/postern.tgz.sha256', async (_req, res) => {
    const archive = await packed;
    revalidated(res, archive)
      .type('text')
      .send(`${archive.sha256.toString('hex')}  postern.tgz\n`);
  });
  return router;
}

function digests({ sha256, sha512 }: PackageArchive): string {
  return `sha-256=:${sha256.toString('base64')}:, sha-512=:${sha512.toString('base64')}:`;
}

/** The address is the same for every version, so a cache asks each time. */
function revalidated(res: Response, { sha256 }: PackageArchive): Response {
  return res.set({ 'cache-control': 'no-cache', etag: `"${sha256.toString('hex')}"` });
}
