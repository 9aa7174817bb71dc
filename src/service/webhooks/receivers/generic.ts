import type { Receiver } from './receiver.js';

/** Any receiver that follows Standard Webhooks: it gets the facts as they are. */
export const generic: Receiver = {
  docs: 'https://www.standardwebhooks.com/',
  body: ({ type, timestamp, data }) => ({ type, timestamp, data }),
};
