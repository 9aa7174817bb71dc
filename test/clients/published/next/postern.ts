import { createPosternClient } from '@posternhq/postern/client';

/** For the server alone: its key is in its environment. */
export const postern = createPosternClient({
  url: 'http://127.0.0.1:3000',
  credential: () => Reflect.get(globalThis, 'key'),
});
