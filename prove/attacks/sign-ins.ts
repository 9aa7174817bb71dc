import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, send } from '../support/http.js';
import { type Attack, countStatuses, refusalFaults } from './attack.js';

/** Guesses after which a sign-in must have been slowed down. */
const maxGuesses = 40;

/** Wrong passwords of a member from one address; then the right one from another, through the same door. */
export const wrongPasswords: Attack = {
  row: 'API2',
  name: 'lock-out by wrong passwords',
  // Elsewhere 127.0.0.1 is the only address of the loopback network.
  platform: 'linux',
  run: async ({ url, tenants }) => {
    const { email, password } = tenants.Business.member;
    const signIn = (given: string, from: string) =>
      send(url, { path: '/trpc/session.create', credential: null, from, body: { json: { email, password: given } } });
    const wrong: Answer[] = [];
    while (wrong.length < maxGuesses && !wrong.some(({ status }) => status === 429)) {
      wrong.push(await signIn(`wrong ${wrong.length}`, '127.0.0.66'));
    }
    const right = await signIn(password, '127.0.0.77');
    const guessed = wrong.filter(({ status }) => status === 200);
    const faults = [
      ...(right.status === 200 ? [] : [`the right password from another address: ${right.status}`]),
      ...(guessed.length === 0 ? [] : ['a wrong password was taken']),
      ...(wrong.some(({ status }) => status === 429) ? [] : [`${maxGuesses} wrong passwords were not slowed down`]),
      ...refusalFaults(wrong),
    ];
    return { figures: `wrong: ${countStatuses(wrong)}; right from elsewhere: ${right.status}`, faults };
  },
};

/** Hashing a password is slow on purpose: many at once, by nobody in particular. */
export const manySignIns: Attack = {
  row: 'API6',
  name: 'sign-ins at once',
  run: async ({ url, short }) => {
    const rounds = short ? 1 : 10;
    const answers = [];
    for (let round = 0; round < rounds; round += 1) {
      const attempts = Array.from({ length: short ? 20 : 100 }, (_, n) =>
        send(url, {
          ...{ path: '/api/session', credential: null },
          body: { email: `nobody-${round}-${n}@prove.invalid`, password: 'not the password' },
        }),
      );
      answers.push(...(await Promise.all(attempts)));
      // A crowd, and then the next one: without a pause this program would take the processor that others need.
      if (!short) await sleep(1_000);
    }
    const faults = answers.some(({ status }) => status === 200) ? ['somebody unknown was let in'] : [];
    return { figures: countStatuses(answers), faults: [...faults, ...refusalFaults(answers)] };
  },
};
