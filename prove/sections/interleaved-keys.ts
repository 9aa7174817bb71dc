import { type Check, judged } from '../support/check.js';
import { callTool, outcomeOf } from '../support/doors.js';
import { send } from '../support/http.js';
import { inParallel } from '../support/in-parallel.js';
import type { LocalProof } from '../support/proof.js';

/** Many calls at once, of several organisations, all with one JSON-RPC id: each answer must be the asker's own. */
export async function interleavedKeys({ url, tenants, short }: LocalProof): Promise<Check[]> {
  const all = Object.values(tenants);
  const askers = all.flatMap(({ mark, readKey, writeKey, member, admin }) =>
    [readKey, writeKey, member.session, admin.session].map((credential) => ({ mark, credential })),
  );
  const rounds = Array.from({ length: short ? 20 : 160 }, () => askers).flat();
  const batch = encodeURIComponent(JSON.stringify({ 0: { json: {} }, 1: { json: {} } }));
  const faults: string[] = [];
  let answered = 0;
  await inParallel(rounds, 64, async ({ mark, credential }, place) => {
    const door = place % 2 === 0 ? 'mcp' : 'trpc';
    const answer =
      door === 'mcp'
        ? await callTool(url, credential, 'list_members', {})
        : await send(url, { path: `/trpc/organisation.listMembers,session.get?batch=1&input=${batch}`, credential });
    const crossed = all.filter((other) => other.mark !== mark && answer.text.includes(other.mark));
    if (crossed.length > 0) faults.push('an answer has the texts of another organisation');
    // A call that was refused as too busy has crossed nothing, but shows nothing either.
    if (answer.text.includes(mark)) answered += 1;
    else if (outcomeOf(door, answer) !== 'busy' && !answer.text.includes('"httpStatus":503'))
      faults.push(`an answer is not the asker's: ${answer.status}`);
  });
  if (answered < rounds.length / 2) faults.push(`only ${answered} of ${rounds.length} calls were answered`);
  const figures = `${answered} answers with one JSON-RPC id, ${askers.length} credentials, 64 at once`;
  return [judged({ row: 'API1', name: 'interleaved keys' }, figures, faults)];
}
