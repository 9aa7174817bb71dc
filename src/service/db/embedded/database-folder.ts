import fs from 'node:fs';
import path from 'node:path';
import { syncPath, syncTree } from './durable-fs.js';

/**
 * Prepares a folder for PGlite. While a new database is written, there is a file `<folder>.incomplete`. After a crash
 * it marks the folder as unusable, and the next start begins again. `opened` is to be called when the database is open.
 */
export function prepareDatabaseFolder(folder: string): { readonly isNew: boolean; readonly opened: () => void } {
  const marker = `${folder}.incomplete`;
  if (fs.existsSync(marker)) fs.rmSync(folder, { recursive: true, force: true });
  else if (fs.existsSync(path.join(folder, 'PG_VERSION'))) return { isNew: false, opened: () => {} };
  else if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) {
    // PGlite would write a new database over what is there.
    throw new Error('the folder is not empty and holds no database (PG_VERSION is missing)');
  }
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(marker, '');
  syncPath(marker);
  syncPath(path.dirname(folder));
  const opened = () => {
    syncTree(folder);
    fs.rmSync(marker);
    syncPath(path.dirname(folder));
  };
  return { isNew: true, opened };
}
