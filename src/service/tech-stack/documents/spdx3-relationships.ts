import * as z from 'zod';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { isRecord } from '../../../shared/json/is-record.js';
import type { Completeness } from '../../db/tables/projects.js';
import type { Scope } from '../stack-package.js';
import { addEdge } from './sbom.js';
import { ScopeVotes } from './scope-votes.js';

const relationshipSchema = z.object({
  from: z.string(),
  to: z
    .union([z.array(z.string()), z.string().transform((only) => [only])])
    .nullish()
    .transform((to) => to ?? []),
  relationshipType: z.string(),
  completeness: z.string().nullish(),
  scope: z.string().nullish(),
});

/** The edges of an SPDX 3 document, and the licences of its elements by the ids of both. */
export interface Spdx3Relationships {
  readonly dependsOn: Map<string, string[]>;
  readonly contains: Map<string, string[]>;
  readonly concluded: Map<string, string[]>;
  readonly declared: Map<string, string[]>;
  readonly known: Map<string, NonNullable<Completeness>>;
  readonly described: Set<string>;
  readonly scopes: ScopeVotes;
}

/** Relationship types by what they say (https://spdx.github.io/spdx-spec/v3.0.1/model/Core/Vocabularies/RelationshipType/). */
const edgeOf: Readonly<Record<string, 'dependsOn' | 'contains' | 'concluded' | 'declared'>> = {
  dependsOn: 'dependsOn',
  hasPrerequisite: 'dependsOn',
  hasOptionalDependency: 'dependsOn',
  hasProvidedDependency: 'dependsOn',
  contains: 'contains',
  hasOptionalComponent: 'contains',
  hasConcludedLicense: 'concluded',
  hasDeclaredLicense: 'declared',
};

/** Lifecycle scopes in which a dependency is not there at run time. */
const developmentScopes: ReadonlySet<string> = new Set(['development', 'build', 'test', 'design']);

/** The element's type without its namespace: `software_Package` is `Package`. */
export function typeName(element: unknown): string {
  const type = isRecord(element) ? (element['type'] ?? element['@type']) : undefined;
  return typeof type === 'string' ? (/[^_:/]*$/.exec(type.slice(-100))?.[0] ?? '') : '';
}

/** The relationships among the elements of a document. One that cannot be read says nothing. */
export async function readSpdx3Relationships(rows: readonly unknown[]): Promise<Spdx3Relationships> {
  const found: Spdx3Relationships = {
    ...{ dependsOn: new Map(), contains: new Map(), concluded: new Map(), declared: new Map() },
    ...{ known: new Map(), described: new Set(), scopes: new ScopeVotes() },
  };
  const yieldNow = yieldToEventLoop();
  for (const row of rows) {
    await yieldNow();
    if (!typeName(row).endsWith('Relationship')) continue;
    const parsed = relationshipSchema.safeParse(row);
    if (parsed.success) addRelationship(found, parsed.data);
  }
  return found;
}

function addRelationship(
  found: Spdx3Relationships,
  { from, to, relationshipType, completeness, scope }: z.output<typeof relationshipSchema>,
): void {
  if (relationshipType === 'describes') for (const each of to) found.described.add(each);
  const edge = Object.hasOwn(edgeOf, relationshipType) ? edgeOf[relationshipType] : undefined;
  if (edge === undefined) return;
  const needed = scopeOf(relationshipType, scope);
  for (const each of to) {
    // "Nothing" and "no word" are individuals of the model, not elements of the document.
    if (/\bNo(?:ne|Assertion)Element$/.test(each.slice(-100))) continue;
    addEdge(found[edge], from, each);
    if (edge === 'dependsOn') found.scopes.add(each, needed);
  }
  if (edge !== 'dependsOn') return;
  // One relationship of several can be complete for its own scope alone.
  const isComplete = completeness === 'complete' && !found.known.has(from);
  if (isComplete) found.known.set(from, 'complete');
  else if (completeness === 'incomplete') found.known.set(from, 'incomplete');
}

function scopeOf(relationshipType: string, scope: string | null | undefined): Scope {
  if (relationshipType.startsWith('hasOptional')) return 'optional';
  return developmentScopes.has(scope ?? '') ? 'development' : 'runtime';
}
