import * as z from 'zod';
import { isForProduction, scopeOfEnvironment } from './environment-scope.js';
import { normalisePython, requirementName, requirementRange } from './names.js';
import type { Scope } from './package-list.js';
import { type AskersOf, askersFrom } from './ranges.js';
import { parseShape, parseToml, type Source } from './source.js';

const requirements = z.array(z.string()).default([]);
const poetryForm = z.object({ version: z.string().optional(), optional: z.boolean().optional() });
/** Several forms are for other platforms. */
const poetryDependency = z.union([z.string(), poetryForm, z.array(poetryForm)]);
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
  /** By a package's normalised name. */
  readonly askersOf: AskersOf;
}

/** A requirement of a project: a name as the manifest has it, and a range where it states one. */
type Wanted = readonly [name: string, range: string | null];

/** What the pyproject.toml in a lock file's folder asks for (PEP 621, PEP 735, Poetry's and PDM's tables); null without one. */
export async function readPyproject(source: Source): Promise<PythonProject | null> {
  const manifest = await source.readRelative('pyproject.toml');
  if (manifest === null) return null;
  const { project, 'dependency-groups': groups, tool } = parseShape(manifest, pyproject, parseToml(manifest));
  const { python: _, ...poetry } = tool.poetry.dependencies;
  const ofGroups = [
    ...Object.entries(groups).map(([group, wanted]) => [group, wanted.flatMap(toWanted)] as const),
    ...Object.entries(tool.poetry.group).map(
      ([group, { dependencies }]) => [group, Object.entries(dependencies).flatMap(toForms)] as const,
    ),
  ];
  const extras = Object.entries(project['optional-dependencies']);
  const ofExtras = (scope: Scope) =>
    extras.flatMap(([extra, wanted]) => (scopeOfEnvironment(extra) === scope ? wanted : [])).flatMap(toWanted);
  const inGroups = (production: boolean) =>
    ofGroups.flatMap(([group, wanted]) => (isForProduction(group) === production ? wanted : []));
  const ofPoetry = (optional: boolean) =>
    Object.entries(poetry)
      .filter(([, wanted]) => isOptional(wanted) === optional)
      .flatMap(toForms);
  const wanted: Readonly<Record<Scope, readonly Wanted[]>> = {
    runtime: [...project.dependencies.flatMap(toWanted), ...ofPoetry(false), ...inGroups(true)],
    optional: [...ofExtras('runtime'), ...ofPoetry(true)],
    development: [
      // An extra `dev` or `test` is older than groups and means the same.
      ...ofExtras('development'),
      ...inGroups(false),
      ...Object.entries(tool.poetry['dev-dependencies']).flatMap(toForms),
      ...Object.values(tool.pdm['dev-dependencies']).flat().flatMap(toWanted),
    ],
  };
  const namesIn = (scope: Scope) => wanted[scope].map(([name]) => normalisePython(name));
  const asks = Object.values(wanted).flat();
  return {
    requirements: {
      runtime: namesIn('runtime'),
      optional: namesIn('optional'),
      development: namesIn('development'),
    },
    extras: extras.flatMap(([extra]) => (scopeOfEnvironment(extra) === 'runtime' ? extra : [])),
    askersOf: askersFrom(asks.map(([name, range]) => [normalisePython(name), 'pyproject.toml', range])),
  };
}

type PoetryDependency = z.output<typeof poetryDependency>;

/** Whether every form of a dependency is optional. */
export function isOptional(wanted: PoetryDependency): boolean {
  return formsOf(wanted).every((form) => typeof form !== 'string' && form.optional === true);
}

/** A dependency of Poetry with the range of each of its forms. */
export function toForms([name, wanted]: readonly [name: string, wanted: PoetryDependency]): Wanted[] {
  return formsOf(wanted).map((form) => [name, typeof form === 'string' ? form : (form.version ?? null)]);
}

function formsOf(wanted: PoetryDependency) {
  return Array.isArray(wanted) ? wanted : [wanted];
}

function toWanted(requirement: unknown): Wanted[] {
  const name = typeof requirement === 'string' ? requirementName(requirement) : null;
  return name === null || typeof requirement !== 'string' ? [] : [[name, requirementRange(requirement)]];
}
