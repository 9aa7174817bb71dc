import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, startPosternProgram } from '../../bin/running-postern.js';
import { at, textAt } from '../../support/at.js';
import { kind, newDatabaseUrl } from '../../support/database.js';

const rounds = 4;

test.runIf(kind === 'postgres')(
  'two instances that start at once on an empty PostgreSQL both start, make one organisation, and take each other’s sessions',
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const DATABASE_URL = await newDatabaseUrl();
      const folders = [await emptyFolder(), await emptyFolder()];
      const both = folders.map((DATA_DIR) => startPosternProgram({ DATA_DIR, DATABASE_URL, POSTERN_SAMPLE: 'false' }));
      const [first = '', second = ''] = await Promise.all(both.map((each) => each.ready()));
      const runs = await Promise.all(
        folders.map((folder) => readFile(path.join(folder, 'first-run.json'), 'utf8').catch(() => null)),
      );
      const made = runs.filter((run) => run !== null);
      expect(made, `round ${round}`).toHaveLength(1);
      const admin = at(JSON.parse(made[0] ?? ''), 'admin');
      const signedIn = await fetch(`${first}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(admin),
      });
      const authorization = `Bearer ${textAt(await signedIn.json(), 'token')}`;
      for (const url of [first, second]) {
        expect((await fetch(`${url}/api/org`, { headers: { authorization } })).status, `round ${round}`).toBe(200);
      }
      for (const each of both) each.kill('SIGTERM');
      expect(await Promise.all(both.map((each) => each.ended)), `round ${round}`).toEqual([0, 0]);
    }
  },
);
