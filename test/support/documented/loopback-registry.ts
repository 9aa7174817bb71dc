import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { root } from '../build.js';
import { portOf } from '../upstream.js';

const ranges = z.record(z.string(), z.string()).default({});
const entry = z.looseObject({
  ...{ name: z.string().optional(), version: z.string(), integrity: z.string().optional() },
  peerDependencies: ranges,
});
const lockFile = z.object({ packages: z.record(z.string(), z.unknown()) });

export interface LoopbackRegistry {
  readonly url: string;
  /** Every package that was asked for, by name, ours or not. */
  readonly asked: ReadonlySet<string>;
  /**
   * Those of them that neither this project depends on nor a package of its as a peer: npm looks at optional peers too, and installs
   * none. They were answered 404.
   */
  readonly strangers: () => string[];
  readonly close: () => Promise<void>;
}

/**
 * A registry for npm that knows exactly what package-lock.json names, in those versions. npm takes the archives from its own store by
 * their digests; the usual registry gives what is not there.
 */
export async function startLoopbackRegistry(): Promise<LoopbackRegistry> {
  const versions = await lockedVersions();
  const locked = [...versions.values()].flatMap((each) => [...each.values()]);
  const peers = new Set(locked.flatMap(({ peerDependencies }) => Object.keys(peerDependencies)));
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'], { cwd: root });
  const usual = stdout.trim().replace(/\/$/, '');
  const asked = new Set<string>();

  const server = createServer(async (req, res) => {
    const asks = decodeURIComponent(req.url ?? '/').slice(1);
    if (asks.startsWith('-/')) return answer(res, 200, {}); // Audits and pings.
    const [, name = '', archive] = /^((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+))?$/.exec(asks) ?? [];
    asked.add(name);
    const known = versions.get(name);
    if (known === undefined) return answer(res, 404, { error: 'not found' });
    if (archive === undefined) return answer(res, 200, packument(name, known, url));
    const got = await fetch(`${usual}/${name}/-/${archive}`).catch(() => null);
    if (got === null || !got.ok) return answer(res, 502, { error: 'the usual registry did not answer' });
    res.end(Buffer.from(await got.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server.address())}`;
  return {
    url,
    asked,
    strangers: () => [...asked].filter((name) => !versions.has(name) && !peers.has(name)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Versions = Map<string, Map<string, z.infer<typeof entry>>>;

/** What the lock file names, by name and version. */
async function lockedVersions(): Promise<Versions> {
  const lock = lockFile.parse(JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')));
  const versions: Versions = new Map();
  for (const [place, value] of Object.entries(lock.packages)) {
    const [, placed] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
    if (placed === undefined) continue;
    const locked = entry.parse(value);
    const name = locked.name ?? placed;
    versions.set(name, (versions.get(name) ?? new Map()).set(locked.version, locked));
  }
  return versions;
}

function packument(name: string, versions: ReadonlyMap<string, z.infer<typeof entry>>, url: string) {
  const base = name.split('/').at(-1);
  const listed = [...versions].map(([version, { integrity, ...rest }]) => {
    const tarball = `${url}/${name}/-/${base}-${version}.tgz`;
    return [version, { ...rest, name, version, dist: { tarball, integrity } }] as const;
  });
  return { name, 'dist-tags': { latest: listed.at(-1)?.[0] }, versions: Object.fromEntries(listed) };
}

/** Nothing of it is to stay in npm's store. */
function answer(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}
