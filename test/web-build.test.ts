import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { root } from './support/build.js';

/** The set-up of the tests has built it. */
const folder = path.join(root, 'dist/web');

describe('the built dashboard', () => {
  test('has nothing inline, which its policy would refuse', async () => {
    const page = await readFile(path.join(folder, 'index.html'), 'utf8');
    expect(page).toMatch(/<script type="module"[^>]* src="\/assets\/[\w-]+-[\w-]{8}\.js"/);
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:\/\//i);
  });

  test('has each file of more than a kilobyte in compressed forms too', async () => {
    const names = await readdir(path.join(folder, 'assets'));
    const plain = names.filter((name) => /\.(?:css|js|svg)$/.test(name));
    expect(plain.length).toBeGreaterThan(2);
    for (const name of plain) {
      const file = path.join(folder, 'assets', name);
      const bytes = await readFile(file);
      const isLarge = bytes.length > 1024;
      expect([name, names.includes(`${name}.br`), names.includes(`${name}.gz`)]).toEqual([name, isLarge, isLarge]);
      if (!isLarge) continue;
      expect(brotliDecompressSync(await readFile(`${file}.br`)).equals(bytes)).toBe(true);
      expect(gunzipSync(await readFile(`${file}.gz`)).equals(bytes)).toBe(true);
    }
  });

  test('comes with the licences of the packages in it', async () => {
    const texts = await readFile(path.join(folder, 'third-party-licenses.txt'), 'utf8');
    for (const name of ['react', 'react-dom', '@tanstack/react-query']) {
      expect(texts).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)`, 'm'));
    }
    const ofPrograms = await readFile(path.join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(ofPrograms).toMatch(/^zod \d+\.\d+\.\d+ \(MIT\)\n\n.*Permission is hereby granted/ms);
  });

  test('has React’s form for users', async () => {
    const names = (await readdir(path.join(folder, 'assets'))).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(names.map((name) => readFile(path.join(folder, 'assets', name), 'utf8')));
    expect(texts.filter((text) => text.includes('Download the React DevTools'))).toEqual([]);
  });

  test('is not built again while its sources are the same', async () => {
    const built = () => stat(path.join(folder, '.sources'));
    const before = await built();
    await promisify(execFile)(process.execPath, [path.join(root, 'scripts/build-web.js')]);
    const after = await built();
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    const { modules } = JSON.parse(await readFile(path.join(folder, '.sources'), 'utf8'));
    expect(modules).toContain('src/client/index.ts');
  });
});
