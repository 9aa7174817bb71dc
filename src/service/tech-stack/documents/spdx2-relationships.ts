import * as z from 'zod';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import type { Completeness } from '../../db/tables/projects.js';
import type { Scope } from '../stack-package.js';
import { addEdge } from './sbom.js';
import { ScopeVotes } from './scope-votes.js';

const relationshipSchema = z.object({
  spdxElementId: z.string(),
  relationshipType: z.string(),
  relatedSpdxElement: z.string(),
});

/** What a relationship says of its two elements; `reversed` where the second one needs or holds the first. */
interface Meaning {
  readonly edge: 'dependsOn' | 'contains' | 'describes';
  readonly reversed?: true;
  /** How the dependency enters the one that needs it. */
  readonly scope?: Scope;
}

/** SPDX 2.3, 11.1. Others say nothing of what is needed; tools disagree on the direction of links. */
const meanings: Readonly<Record<string, Meaning>> = {
  DESCRIBES: { edge: 'describes' },
  // Trivy once wrote it so.
  DESCRIBE: { edge: 'describes' },
  DESCRIBED_BY: { edge: 'describes', reversed: true },
  CONTAINS: { edge: 'contains' },
  CONTAINED_BY: { edge: 'contains', reversed: true },
  DEPENDS_ON: { edge: 'dependsOn', scope: 'runtime' },
  HAS_PREREQUISITE: { edge: 'dependsOn', scope: 'runtime' },
  PREREQUISITE_FOR: { edge: 'dependsOn', scope: 'runtime', reversed: true },
  DEPENDENCY_OF: { edge: 'dependsOn', scope: 'runtime', reversed: true },
  RUNTIME_DEPENDENCY_OF: { edge: 'dependsOn', scope: 'runtime', reversed: true },
  PROVIDED_DEPENDENCY_OF: { edge: 'dependsOn', scope: 'runtime', reversed: true },
  OPTIONAL_DEPENDENCY_OF: { edge: 'dependsOn', scope: 'optional', reversed: true },
  DEV_DEPENDENCY_OF: { edge: 'dependsOn', scope: 'development', reversed: true },
  BUILD_DEPENDENCY_OF: { edge: 'dependsOn', scope: 'development', reversed: true },
  TEST_DEPENDENCY_OF: { edge: 'dependsOn', scope: 'development', reversed: true },
};

/** The edges of an SPDX 2 document. A relationship that cannot be read says nothing. `describes` is the older field. */
export async function readSpdx2Relationships(rows: readonly unknown[], document: string, describes: readonly string[]) {
  const edges = { dependsOn: new Map<string, string[]>(), contains: new Map<string, string[]>() };
  const known = new Map<string, NonNullable<Completeness>>();
  const described = new Set(describes);
  const scopes = new ScopeVotes();
  const yieldNow = yieldToEventLoop();
  for (const row of rows) {
    await yieldNow();
    const parsed = relationshipSchema.safeParse(row);
    if (!parsed.success || !Object.hasOwn(meanings, parsed.data.relationshipType)) continue;
    const { spdxElementId, relationshipType, relatedSpdxElement } = parsed.data;
    const meaning = meanings[relationshipType];
    if (meaning === undefined) continue;
    const [from, to] = meaning.reversed ? [relatedSpdxElement, spdxElementId] : [spdxElementId, relatedSpdxElement];
    if (meaning.edge === 'describes') {
      if (from === document) described.add(to);
    } else if (to === 'NONE' || to === 'NOASSERTION') {
      // SPDX 2.3, 11.1.3: nothing there, or nothing said.
      if (meaning.edge === 'dependsOn') known.set(from, to === 'NONE' ? 'complete' : 'incomplete');
    } else {
      addEdge(edges[meaning.edge], from, to);
      if (meaning.scope !== undefined) scopes.add(to, meaning.scope);
    }
  }
  return { ...edges, known, described, scopes };
}
