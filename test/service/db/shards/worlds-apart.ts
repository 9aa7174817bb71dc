import { type Intelligence, makeWorld, type Proofs, type World } from '../../../conformance/world.js';
import type { TestService } from '../../../support/service.js';
import { shardOfOrganisation } from './hash-partitions.js';

/** Two worlds whose organisations are in different shards. */
export async function worldsApart(
  service: TestService,
  intelligence: Intelligence,
  proofs: Proofs,
): Promise<readonly [first: World, second: World]> {
  const shardOf = ({ organisation }: World) => shardOfOrganisation(service.database, organisation.id);
  const first = await makeWorld(service, intelligence, { proofs });
  for (;;) {
    const second = await makeWorld(service, intelligence, { proofs });
    if ((await shardOf(second)) !== (await shardOf(first))) return [first, second];
  }
}
