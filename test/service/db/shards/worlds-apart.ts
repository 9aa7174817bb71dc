import { type Intelligence, makeWorld, type World } from '../../../conformance/world.js';
import type { TestService } from '../../../support/service.js';
import { shardOfOrganisation } from './hash-partitions.js';

/** Two worlds whose organisations are in different shards. */
export async function worldsApart(
  service: TestService,
  intelligence: Intelligence,
): Promise<readonly [first: World, second: World]> {
  const shardOf = ({ organisation }: World) => shardOfOrganisation(service.database, organisation.id);
  const first = await makeWorld(service, intelligence);
  for (;;) {
    const second = await makeWorld(service, intelligence);
    if ((await shardOf(second)) !== (await shardOf(first))) return [first, second];
  }
}
