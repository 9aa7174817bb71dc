import type { Role } from './language-reader.js';

/** What folders hold, in any language. Tools and scripts count only at the top: deeper, source uses such names too. */
const folders: readonly (readonly [RegExp, Role])[] = [
  [
    /(?:^|\/)(?:tests?|__tests__|testdata|fixtures|benches|benchmarks?|e2e|integration[-_]tests?|androidTest)\//,
    'test',
  ],
  [/(?:^|\/)(?:examples?|samples?|docs?)\//, 'script'],
  [/^(?:scripts|tools|hack|misc|contrib|demos?|\.github|\.ci)\//, 'script'],
];

/**
 * What a file is for, by its path: the language's conventions come before the folders. Examples, documentation and tools
 * count as scripts: they mostly do not run in production. That is no more than likely, so a use there of a package that a
 * manifest lists for production may be one of production (`Connections.isForProduction`).
 */
export function roleByPath(path: string, conventions: readonly (readonly [RegExp, Role])[]): Role {
  return [...conventions, ...folders].find(([pattern]) => pattern.test(path))?.[1] ?? 'prod';
}
