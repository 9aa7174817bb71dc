import * as z from 'zod';
import { isForProduction, scopeOfEnvironment } from './environment-scope.js';
import { normalisePython, requirementName } from './names.js';
import type { Scope } from './package-list.js';
import { parseShape, parseToml, type Source } from './source.js';

const requirements = z.array(z.string()).default([]);
const poetryDependency = z.union([
  z.string(),
  z.object({ optional: z.boolean().optional() }),
  z.array(z.object({ optional: z.boolean().optional() })),
]);
export const poetryDependencies = z.record(z.string(), poetryDependency).default({});

const pyproject = z.object({
  project: z
    .object({ dependencies: requirements, 'optional-dependencies': z.record(z.string(), requirements).default({}) })
    .prefault({}),
  // A group may include another: `{ include-group = "test" }` (PEP 735).
  'dependency-groups': z.record(z.string(), z.array(z.unknown())).default({}),
  tool: z
    .object({
      poetry: z
        .object({
          dependencies: poetryDependencies,
          'dev-dependencies': poetryDependencies,
          group: z.record(z.string(), z.object({ dependencies: poetryDependencies })).default({}),
        })
        .prefault({}),
      pdm: z.object({ 'dev-dependencies': z.record(z.string(), requirements).default({}) }).prefault({}),
    })
    .prefault({}),
});

/** The packages that a Python project asks for, by normalised name. */
export type PythonRequirements = Readonly<Record<Scope, readonly string[]>>;

export interface PythonProject {
  readonly requirements: PythonRequirements;
  /** The names of its optional dependencies, as `standard` of `uvicorn[standard]`, without those for development. */
  readonly extras: readonly string[];
}

/** What the pyproject.toml in a lock file's folder asks for (PEP 621, PEP 735, Poetry's and PDM's tables); null without one. */
export async function readPyproject(source: Source): Promise<PythonProject | null> {
  const manifest = await source.readRelative('pyproject.toml');
  if (manifest === null) return null;
  const { project, 'dependency-groups': groups, tool } = parseShape(manifest, pyproject, parseToml(manifest));
  const poetry = Object.entries(tool.poetry.dependencies).filter(([name]) => name !== 'python');
  const ofGroups = [
    ...Object.entries(groups),
    ...Object.entries(tool.poetry.group).map(
      ([group, { dependencies }]) => [group, Object.keys(dependencies)] as const,
    ),
  ];
  const extras = Object.entries(project['optional-dependencies']);
  const development = [
    // An extra `dev` or `test` is older than groups and means the same.
    ...extras.flatMap(([extra, wanted]) => (scopeOfEnvironment(extra) === 'development' ? wanted : [])),
    ...ofGroups.flatMap(([group, wanted]) => (isForProduction(group) ? [] : wanted)),
    ...Object.keys(tool.poetry['dev-dependencies']),
    ...Object.values(tool.pdm['dev-dependencies']).flat(),
  ];
  const asked = {
    runtime: [
      ...project.dependencies,
      ...poetry.flatMap(([name, wanted]) => (isOptional(wanted) ? [] : name)),
      ...ofGroups.flatMap(([group, wanted]) => (isForProduction(group) ? wanted : [])),
    ].flatMap(toName),
    optional: [
      ...extras.flatMap(([extra, wanted]) => (scopeOfEnvironment(extra) === 'runtime' ? wanted : [])),
      ...poetry.flatMap(([name, wanted]) => (isOptional(wanted) ? name : [])),
    ].flatMap(toName),
    development: development.flatMap(toName),
  };
  return {
    requirements: asked,
    extras: extras.flatMap(([extra]) => (scopeOfEnvironment(extra) === 'runtime' ? extra : [])),
  };
}

/** Whether every form of a dependency is optional. */
export function isOptional(wanted: z.output<typeof poetryDependency>): boolean {
  if (typeof wanted === 'string') return false;
  return Array.isArray(wanted) ? wanted.every(({ optional }) => optional === true) : wanted.optional === true;
}

function toName(requirement: unknown): string | [] {
  const name = typeof requirement === 'string' ? requirementName(requirement) : null;
  return name === null ? [] : normalisePython(name);
}
