// Fails with a client made by the app's own copy of tRPC, and prints what Postern's guard says of the error.
import { createPosternClient, isPosternError, posternLinks } from '@posternhq/postern/client';
import { createTRPCClient, TRPCClientError } from '@trpc/client';

const [url] = process.argv.slice(2);
const clients = [createTRPCClient({ links: posternLinks({ url }) }), createPosternClient({ url })];
const errors = await Promise.all(clients.map((client) => client.session.get.query().catch((error) => error)));
console.log(
  JSON.stringify(errors.map((error) => [error instanceof TRPCClientError, isPosternError(error), error.data.failure])),
);
