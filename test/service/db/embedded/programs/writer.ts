import { sql } from 'kysely';
import { newId } from '../../../../../src/service/db/ids.js';
import { openDatabase } from '../../../../../src/service/db/open.js';

/** Says what the folder at argv[2] has kept, then adds one organisation after the other, saying each that was acknowledged. */
const [, , dataDir = '', workerUrl = ''] = process.argv;
const database = await openDatabase({ dataDir, workerUrl: new URL(workerUrl) });
const kept = await database.system(async (tx) => {
  const { rows } = await sql<{ name: string }>`select name from organisations order by name::int`.execute(tx);
  return rows.map(({ name }) => Number(name));
});
process.stdout.write(`kept ${kept.join(' ')}\n`);
for (let next = (kept.at(-1) ?? 0) + 1; ; next += 1) {
  await database.system((tx) =>
    sql`insert into organisations (id, name, plan) values (${newId('org')}, ${next}::int::text, 'Free')`.execute(tx),
  );
  process.stdout.write(`added ${next}\n`);
}
