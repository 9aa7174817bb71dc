import { cp, mkdir, readFile, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { textAt } from '../at.js';
import { root } from '../build.js';
import { type BareMachine, bareMachine, type Ran, type Started } from './bare-machine.js';
import { documented } from './commands.js';
import { feedFiles, projectFiles, writeFiles } from './files.js';
import { type LoopbackRegistry, startLoopbackRegistry } from './loopback-registry.js';
import { install, type Place, type Places, servers, withPlaces } from './ways.js';

const firstRun = z.object({
  keys: z.object({ read_only: z.string(), read_write: z.string() }),
  project_id: z.string(),
});

/** A machine on which somebody has followed the README from a clone to an installed server that runs. */
export interface Newcomer {
  readonly machine: BareMachine;
  readonly registry: LoopbackRegistry;
  readonly places: Places;
  readonly folders: Readonly<Record<Exclude<Place, 'empty'>, string>>;
  /** What the server of the clone printed, and its address, at which nobody is by now. */
  readonly built: { readonly output: string; readonly url: string };
  readonly packaged: Started;
  /** How the installation went. */
  readonly installed: Ran & { readonly milliseconds: number };
  readonly close: () => Promise<void>;
}

/** In CI the packages of the clone come from `npm ci`, as written; elsewhere, where that takes long, they are those of this one. */
const borrows = !process.env['CI'];

/** A clone as git makes it. */
async function makeClone(folder: string): Promise<string> {
  const left = ['.git', '.env', '.postern', 'dist'].map((name) => path.join(root, name));
  const filter = (from: string) => !left.includes(from) && path.basename(from) !== 'node_modules';
  await cp(root, folder, { recursive: true, filter });
  if (borrows) {
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    await mkdir(path.join(folder, 'dist'));
    await cp(path.join(root, 'dist/web'), path.join(folder, 'dist/web'), { recursive: true });
  }
  return folder;
}

export async function newcomer(): Promise<Newcomer> {
  const registry = await startLoopbackRegistry();
  const machine = await bareMachine(registry.url);
  const close = async () => {
    await machine.close();
    await registry.close();
  };
  try {
    return { ...(await followReadme(machine)), machine, registry, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function followReadme(machine: BareMachine): Promise<Omit<Newcomer, 'machine' | 'registry' | 'close'>> {
  const clone = await makeClone(await machine.folder());
  const port = { PORT: '0' };
  const start = documented(servers[0]);
  // npm would empty the folder of packages that is borrowed.
  const built = machine.start(borrows ? start.replace('npm ci && ', '') : start, clone, port);
  const url = await built.ready();
  const first = await readFile(path.join(clone, '.postern/first-run.json'), 'utf8');
  const { keys, project_id: projectId } = firstRun.parse(JSON.parse(first));
  const headers = { authorization: `Bearer ${keys.read_only}` };
  const organisationId = textAt(await (await fetch(`${url}/api/org`, { headers })).json(), 'id');
  const given = { organisationId, projectId, readKey: keys.read_only, writeKey: keys.read_write };

  const begun = performance.now();
  const ran = await machine.run(withPlaces(documented(install), { ...given, url }), await machine.folder());
  const installed = { ...ran, milliseconds: Math.round(performance.now() - begun) };
  await built.stop();

  // From here on the server is the installed program, in a folder that has nothing else.
  const server = await machine.folder();
  await rename(path.join(clone, '.postern'), path.join(server, '.postern'));
  await writeFiles(server, feedFiles);
  const packaged = machine.start('postern', server, port);
  const places = { ...given, url: await packaged.ready() };
  const project = await machine.folder();
  await writeFiles(project, projectFiles);
  const folders = { clone, server, project };
  return { places, folders, built: { output: built.output(), url }, packaged, installed };
}
