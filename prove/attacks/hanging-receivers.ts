import * as z from 'zod';
import { send } from '../support/http.js';
import { expectAnswer, sendPatiently } from '../support/rest.js';
import { waitFor } from '../support/wait.js';
import { type Attack, refusalFaults } from './attack.js';
import { newProject } from './uploads.js';

const added = z.object({ webhook: z.object({ id: z.string() }) });
const log = z.object({ items: z.array(z.object({ status: z.string() })) });

/** Receivers that take a message and never answer, of one organisation, while another waits for its own delivery. */
export const hangingReceivers: Attack = {
  row: 'API4',
  name: 'hanging receivers',
  run: async (proof) => {
    const { url, short, tenants, receiver } = proof;
    const { Free: attacker, Business: polite } = tenants;
    const [theirs, ours] = [await newProject(proof, attacker), await newProject(proof, polite)];
    const hook = (name: string) => ({ kind: 'generic', name, url: `http://${receiver}/${name}` });
    const tests = [];
    for (let n = 0; n < (short ? 12 : 60); n += 1) {
      const path = `/api/projects/${theirs}/webhooks`;
      const answer = await sendPatiently(url, { path, credential: attacker.writeKey, body: hook(`hang-${n}`) });
      // A quota of the plan may end it before.
      const { data } = added.safeParse(answer.status === 200 ? JSON.parse(answer.text) : undefined);
      if (data === undefined) break;
      tests.push(`${path}/${data.webhook.id}/test`);
    }
    const asked = await Promise.all(
      tests.map((path) => send(url, { method: 'POST', path, credential: attacker.writeKey })),
    );
    const path = `/api/projects/${ours}/webhooks`;
    const credential = polite.writeKey;
    const { webhook } = await expectAnswer(url, { path, credential, body: hook('good') }, added);
    const begun = performance.now();
    await expectAnswer(url, { method: 'POST', path: `${path}/${webhook.id}/test`, credential }, z.unknown());
    const deliveries = { path: `${path}/${webhook.id}/deliveries`, credential };
    const delivered = await waitFor(async () => {
      const { items } = await expectAnswer(url, deliveries, log);
      return items.some(({ status }) => status === 'delivered') ? true : undefined;
    }, 120_000);
    const seconds = (performance.now() - begun) / 1000;
    // A delivery alone takes a few seconds at most: the service looks for new ones so often.
    const inTime = delivered === true && (short || seconds < 10);
    const few = tests.length === 0 ? ['no receiver could be added'] : [];
    const late = inTime ? [] : [`another's delivery: ${delivered === true ? `after ${seconds.toFixed(1)} s` : 'none'}`];
    const figures = `${tests.length} receivers hang; another's delivery took ${seconds.toFixed(1)} s`;
    return { figures, faults: [...few, ...late, ...refusalFaults(asked)] };
  },
};
