import type { Role } from '../analysis/language.js';

/** Folders by what lies in them, whatever the language. Tools and scripts only at the top: deeper the name is anybody's. */
const folders: readonly (readonly [RegExp, Role])[] = [
  [
    /(?:^|\/)(?:tests?|__tests__|testdata|fixtures|benches|benchmarks?|e2e|integration[-_]tests?|androidTest)\//,
    'test',
  ],
  [/(?:^|\/)(?:examples?|samples?|docs?)\//, 'script'],
  [/^(?:scripts|tools|hack|misc|contrib|demos?|\.github|\.ci)\//, 'script'],
];

/**
 * What a file is for, by its path: the language's own conventions first, then the folders. Examples, documentation and
 * tools count as scripts: they are not what runs in production.
 */
export function roleByPath(path: string, conventions: readonly (readonly [RegExp, Role])[]): Role {
  return [...conventions, ...folders].find(([pattern]) => pattern.test(path))?.[1] ?? 'prod';
}
