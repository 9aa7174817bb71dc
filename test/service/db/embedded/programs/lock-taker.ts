import { once } from 'node:events';
import { FolderHeldError, lockFolder, setUrl } from '../../../../../src/service/db/embedded/folder-lock.js';

/** Waits for a line, then takes the folder at argv[2], says how that went, and keeps it until its input ends. */
const [, , dataDir = '', url] = process.argv;
process.stdout.write('ready\n');
await once(process.stdin, 'data');
try {
  lockFolder(dataDir);
  if (url !== undefined) setUrl(dataDir, url);
  process.stdout.write('taken\n');
  process.stdin.resume();
  await once(process.stdin, 'end');
} catch (error) {
  if (!(error instanceof FolderHeldError)) throw error;
  process.stdout.write(`held by ${error.holder.pid}\n`);
}
