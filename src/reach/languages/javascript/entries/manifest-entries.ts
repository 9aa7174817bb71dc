import { joinPath } from '../../tree-path.js';
import { allStrings, entriesOf, field, textOf } from '../json-values.js';
import { runsProgram } from '../project/commands.js';
import type { Manifest } from '../project/manifests.js';
import { roleOf } from '../roles.js';
import type { EntryCollector } from './entry-collector.js';

/** Adds the files that a package.json names: by `main` and the like, by `exports`, and in the scripts that run it. */
export function addFromManifest({ folder, content }: Manifest, entries: EntryCollector): void {
  const { lookup } = entries;
  const manifestPath = folder === '' ? 'package.json' : `${folder}/package.json`;
  for (const name of ['main', 'module', 'browser', 'bin', 'source']) {
    const value = field(content, name);
    const targets = typeof value === 'string' ? [value] : entriesOf(value).map(([, target]) => textOf(target) ?? '');
    for (const target of targets)
      if (target !== '') entries.add(lookup.sources(folder, target), `${name} of ${manifestPath}`);
  }
  for (const target of allStrings(field(content, 'exports'))) {
    if (!target.startsWith('./')) continue;
    const [prefix = '', suffix] = target.split('*');
    const start = joinPath(folder, prefix) ?? '';
    const files =
      suffix === undefined
        ? lookup.sources(folder, target)
        : lookup.matching(prefix.endsWith('/') ? `${start}/` : start, suffix, 'any');
    entries.add(
      files.filter((file) => roleOf(file) === 'prod'),
      `exports of ${manifestPath}`,
    );
  }
  for (const [name, command] of entriesOf(field(content, 'scripts'))) {
    if (runsProgram(name)) entries.addRunBy(textOf(command) ?? '', folder, `script ${name} of ${manifestPath}`);
  }
}
