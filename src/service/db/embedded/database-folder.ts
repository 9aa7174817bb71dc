import fs from 'node:fs';
import path from 'node:path';
import { syncPath, syncTree } from './durable-fs.js';

/**
 * Readies a folder for PGlite. While a new database is being written, a file `<folder>.incomplete` stands beside it: a
 * crash then leaves a folder that is known to hold nothing yet and is begun anew, not one that looks like a database
 * and does not open. Answers what to call when the database is open.
 */
export function prepareDatabaseFolder(folder: string): () => void {
  const marker = `${folder}.incomplete`;
  if (fs.existsSync(marker)) fs.rmSync(folder, { recursive: true, force: true });
  else if (fs.existsSync(path.join(folder, 'PG_VERSION'))) return () => {};
  else if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) {
    // PGlite would write a new database over what is there.
    throw new Error('the folder is not empty and holds no database (PG_VERSION is missing)');
  }
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(marker, '');
  syncPath(marker);
  syncPath(path.dirname(folder));
  return () => {
    syncTree(folder);
    fs.rmSync(marker);
    syncPath(path.dirname(folder));
  };
}
