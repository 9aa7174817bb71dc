import { once } from 'node:events';
import { createServer } from 'node:http';
import * as z from 'zod';
import { newProject } from '../attacks/uploads.js';
import { type Check, judged } from '../support/check.js';
import { parseJson } from '../support/json.js';
import type { LocalProof } from '../support/proof.js';
import { expectAnswer, sendPatiently } from '../support/rest.js';
import { waitFor } from '../support/wait.js';

/** Spellings of addresses that a webhook must not reach (RFC 6890; IPv6 forms of IPv4 addresses: RFC 4291, 6052, 3056). */
const hosts = [
  ...['127.0.0.1', '127.1', '127.9.9.9', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '0', 'localhost'],
  ...['localhost.', 'a.localhost', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]'],
  ...['[2002:7f00:1::]', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '169.254.169.254', '[fe80::1]'],
  ...['[fc00::1]', '[fd00:ec2::254]', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
];

const added = z.object({ webhook: z.object({ id: z.string() }) });
const log = z.object({ items: z.array(z.object({ status: z.string(), attempts: z.int() })) });

/** Webhooks to this machine and private networks: refused when added, or at least never sent. */
export async function forgedAddresses(proof: LocalProof): Promise<Check[]> {
  const { url, tenants } = proof;
  const { writeKey: credential } = tenants.Enterprise;
  let hits = 0;
  const canary = createServer((_req, res) => {
    hits += 1;
    res.end();
  });
  canary.listen(0);
  await once(canary, 'listening');
  const address = canary.address();
  const port = address === null || typeof address === 'string' ? 80 : address.port;
  const path = `/api/projects/${await newProject(proof, tenants.Enterprise)}/webhooks`;
  const faults: string[] = [];
  let [refused, notSent] = [0, 0];
  for (const host of hosts) {
    const body = { kind: 'generic', name: host, url: `http://${host}:${port}/canary` };
    const answer = await sendPatiently(url, { path, credential, body });
    const { data } = added.safeParse(parseJson(answer.text));
    if (data === undefined && [400, 422].includes(answer.status)) refused += 1;
    else if (data === undefined) faults.push(`${host}: ${answer.status}`);
    else {
      const hook = `${path}/${data.webhook.id}`;
      await expectAnswer(url, { method: 'POST', path: `${hook}/test`, credential }, z.unknown());
      const tried = await waitFor(async () => {
        const { items } = await expectAnswer(url, { path: `${hook}/deliveries`, credential }, log);
        return items.find(({ attempts }) => attempts > 0)?.status;
      }, 30_000);
      if (tried === 'delivered') faults.push(`${host}: delivered`);
      else notSent += 1;
    }
  }
  if (hits > 0) faults.push(`${hits} messages came to this machine`);
  canary.close();
  const figures = `${hosts.length} addresses: ${refused} refused, ${notSent} taken but not sent to`;
  return [judged({ row: 'API7', name: 'webhooks to inner addresses' }, figures, faults)];
}
