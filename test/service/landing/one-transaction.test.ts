import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTableNames } from '../../../src/service/landing/set-tables.js';
import { tidyLandings } from '../../../src/service/landing/upkeep.js';
import { startService, type TestService } from '../../support/service.js';
import { stepped } from './code-reports.js';
import { uploadedProject } from './uploaded-project.js';

/** Uploads land at once in the one, and in steps in the other. */
let atOnce: TestService;
let inSteps: TestService;
beforeAll(async () => {
  atOnce = await startService();
  inSteps = await startService({ database: stepped(atOnce.database, async () => {}), jwtKey: atOnce.jwtKey });
});
afterAll(async () => {
  await inSteps.close();
  await atOnce.close();
});

test('uploads at once and in steps follow one another in any order', async () => {
  const [expected, mixed] = [await uploadedProject(atOnce), await uploadedProject(atOnce)];
  const services = [inSteps, inSteps, atOnce, atOnce, inSteps, atOnce, inSteps];
  const versions = new Set<string>();
  for (const [at, service] of services.entries()) {
    await expected.upload(atOnce, at % 2 === 0);
    await mixed.upload(service, at % 2 === 0);
    for (const table of await mixed.replaced()) versions.add(table);
    expect(await mixed.read(), `upload ${at}`).toEqual(await expected.read());
  }
  expect(await expected.replaced()).toEqual([]);
  // Else nothing was in the way. Documents are never replaced.
  expect([...versions].sort()).toEqual(setTableNames.filter((table) => !table.startsWith('vex_')).sort());
  const before = await mixed.read();
  await tidyLandings(atOnce.database);
  expect(await mixed.replaced()).toEqual([]);
  expect(await mixed.read()).toEqual(before);
});
