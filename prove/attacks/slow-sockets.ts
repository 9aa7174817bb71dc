import { once } from 'node:events';
import { send } from '../support/http.js';
import { openSocket } from '../support/raw-socket.js';
import { sarifOf } from '../support/reports.js';
import { sendPatiently } from '../support/rest.js';
import { type Attack, countStatuses, refusalFaults } from './attack.js';
import { newProject } from './uploads.js';

/** Uploads that never end must not take the places of those that do. */
export const slowSockets: Attack = {
  row: 'API4',
  name: 'uploads of a byte a second',
  run: async (proof) => {
    const { url, short, tenants } = proof;
    const { Free: attacker, Business: polite } = tenants;
    const [theirs, ours] = [await newProject(proof, attacker), await newProject(proof, polite)];
    const host = new URL(url).host;
    const head = [
      `POST /api/projects/${theirs}/sast/reports?source_repo=https://git.example.com/slow HTTP/1.1`,
      ...[`Host: ${host}`, `Authorization: Bearer ${attacker.writeKey}`],
      ...['Content-Type: application/json', 'Content-Length: 60000000'],
    ];
    const sockets = Array.from({ length: short ? 2 : 18 }, () => openSocket(url));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets)
      socket
        .on('error', () => {})
        .resume()
        .write(`${head.join('\r\n')}\r\n\r\n{`);
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ');
    }, 1000);
    try {
      // More than the 4 MB from which an upload needs a place.
      const padding = { ...sarifOf(['one']), properties: { padding: 'x'.repeat(4_500_000) } };
      const answers = [];
      for (let round = 0; round < 3; round += 1) {
        const path = `/api/projects/${ours}/sast/reports?source_repo=https://git.example.com/polite-${round}`;
        const request = { path, credential: polite.writeKey, body: padding, limitMs: 120_000 };
        // On a loaded machine anybody may be told to come again; what counts in short is that the upload is taken then.
        answers.push(await (short ? sendPatiently(url, request) : send(url, request)));
        if (answers.some(({ status }) => status >= 300)) break;
      }
      const refused = answers.filter(({ status }) => status >= 300 || status === 0);
      const faults = refused.length === 0 ? [] : [`another's upload of 4.5 MB: ${countStatuses(refused)}`];
      return {
        figures: `${sockets.length} sockets; another's uploads: ${countStatuses(answers)}`,
        faults: [...faults, ...refusalFaults(answers)],
      };
    } finally {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    }
  },
};
