import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { emptyFolder } from './bin/running-postern.js';
import { root } from './support/build.js';

const bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ name: z.literal(manifest.name) }) }),
  components: z.array(z.object({ purl: z.string() })),
});

test('our own SBOM, made by ourselves, has every package that the manifest depends on', async () => {
  const file = path.join(await emptyFolder(), 'own.cdx.json');
  await promisify(execFile)(process.execPath, [path.join(root, 'scripts/own-sbom.js'), file]);
  const { components } = bom.parse(JSON.parse(await readFile(file, 'utf8')));
  const names = new Set(components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/|@[^@/]+$/g, '')));
  expect(Object.keys(manifest.dependencies).filter((name) => !names.has(name))).toEqual([]);
});
