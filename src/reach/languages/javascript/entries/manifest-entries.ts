import { listsOf } from '../../../knowledge/knowledge.js';
import { inFolder } from '../../tree-path.js';
import { allStrings, entriesOf, field, stringsIn, textOf } from '../json-values.js';
import { commandsOf, filesRunBy, isBundler, runsProgram } from '../project/commands.js';
import type { Manifest } from '../project/manifests.js';
import { isTestName, roleOf } from '../roles.js';
import type { EntryCollector } from './entry-collector.js';

const listed = listsOf('javascript/manifest-fields');

/** Fields whose paths, with or without extension, start the package. */
const startFields = listed('start');

/** Fields that name no code of production. */
const otherFields = new Set([...listed('others'), ...startFields]);

/**
 * Adds the files that a package.json names: by `main` and the like, by `exports` and `imports`, in the scripts that run
 * it, and in fields of frameworks (`n8n`, `oclif`, `meteor`).
 */
export function addFromManifest({ folder, content }: Manifest, entries: EntryCollector): void {
  const { files } = entries;
  const manifestPath = inFolder(folder, 'package.json');
  for (const name of startFields) {
    for (const target of stringsAt(field(content, name)))
      entries.add(files.sources(folder, target), `${name} of ${manifestPath}`);
  }
  for (const file of filesIn(field(field(content, 'directories'), 'bin'), folder, entries))
    entries.add([file], `bin of ${manifestPath}`);
  for (const name of ['exports', 'imports']) {
    for (const target of allStrings(field(content, name))) {
      if (target.startsWith('./')) entries.add(exported(target, folder, entries), `${name} of ${manifestPath}`);
    }
  }
  for (const [name, value] of entriesOf(content)) {
    if (otherFields.has(name)) continue;
    for (const target of allStrings(value)) {
      if (!target.includes('/') || target.includes(':')) continue;
      const found = files.sources(folder, target).filter((file) => roleOf(file) !== 'test');
      entries.add(target === './' ? [] : found, `${name} of ${manifestPath}`);
    }
  }
  for (const target of stringsIn(field(field(content, 'oclif'), 'commands')))
    for (const file of filesIn(target, folder, entries)) entries.add([file], `oclif of ${manifestPath}`);
  addFromScripts(content, folder, manifestPath, entries);
}

function addFromScripts(content: unknown, folder: string, manifestPath: string, entries: EntryCollector): void {
  for (const [name, value] of entriesOf(field(content, 'scripts'))) {
    const script = textOf(value) ?? '';
    const reason = `script ${name} of ${manifestPath}`;
    if (runsProgram(name)) entries.addRunBy(script, [folder], reason);
    else if (!/test|lint|e2e|storybook|docs/.test(name)) {
      for (const command of commandsOf(script)) {
        if (!isBundler(command)) continue;
        const bundled = filesRunBy(command).flatMap((file) => entries.files.sources(folder, file));
        entries.add(
          bundled.filter((file) => roleOf(file) !== 'config'),
          reason,
        );
      }
    }
  }
}

/** The files of a target in `exports`: `./src/*.js` means those that it matches, without tests. */
function exported(target: string, folder: string, { files }: EntryCollector): readonly string[] {
  if (!target.includes('*')) return files.sources(folder, target);
  const places = ['', 'src/', 'lib/'].map((source) =>
    target.replace(/^\.\/(?:dist|build|lib|out|es|esm|cjs)\//, `./${source}`),
  );
  const deep = [target, ...places].map((place) => place.replace('*', '**/*'));
  return deep
    .flatMap((pattern) => files.matching(folder, pattern))
    .filter((file) => roleOf(file) !== 'test' && !isTestName(file));
}

/** All code in a folder that a field names, or in the one that it is built from. */
function filesIn(value: unknown, folder: string, { files }: EntryCollector): readonly string[] {
  const target = textOf(value);
  if (target === null) return [];
  const source = target.replace(/^(?:\.\/)?(?:dist|build|lib|out)\//, './src/');
  return [target, source].flatMap((place) => files.matching(folder, `${place.replace(/\/+$/, '')}/**`));
}

function stringsAt(value: unknown): string[] {
  return typeof value === 'string' ? [value] : entriesOf(value).flatMap(([, target]) => textOf(target) ?? []);
}
