import { basename } from 'node:path';
import type { Scope } from './package-list.js';

const development = new Set(
  (
    'dev devel develop development local test tests testing tox qa quality lint linter linters linting style format ' +
    'formatting typing types mypy precommit coverage cov bench benchmark benchmarks debug ci doc docs documentation'
  ).split(' '),
);
const production = new Set('prod production base main common core runtime default'.split(' '));

/**
 * The scope of an environment by the words of its name: `requirements-dev.txt` and `dev` are for development. Everything else
 * is runtime, also where a name says both: a risk is never rated too low.
 */
export function scopeOfEnvironment(name: string): Scope {
  const words = basename(name)
    .toLowerCase()
    .replace('pre-commit', 'precommit')
    .split(/[^a-z]+/);
  return words.some((word) => development.has(word)) && !words.some((word) => production.has(word))
    ? 'development'
    : 'runtime';
}

const deployed = new Set('prod production deploy deployment live server web worker runtime main'.split(' '));

/**
 * Whether a dependency group of a Python project is installed in production by its name. All others are for development
 * (PEP 735, https://python-poetry.org/docs/managing-dependencies/#dependency-groups).
 */
export function isForProduction(group: string): boolean {
  return group
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => deployed.has(word));
}
