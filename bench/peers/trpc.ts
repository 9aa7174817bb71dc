/** A program: a tRPC router as one writes it by hand, with a zod schema that decodes dates, and superjson. */
import { initTRPC } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express from 'express';
import superjson from 'superjson';
import * as z from 'zod';
import { procedures } from '../../src/procedures/index.ts';
import { fetchAlerts, port } from './upstream.ts';

const t = initTRPC.context<{ authorization: string | undefined }>().create({ transformer: superjson });
const router = t.router({
  alerts: t.router({
    list: t.procedure
      .input(z.object({ project_id: z.string() }))
      .query(async ({ input, ctx }) =>
        procedures.alerts.list.output.parse(JSON.parse(await fetchAlerts(input.project_id, ctx.authorization))),
      ),
  }),
});

const app = express();
const createContext = ({ req }: { req: express.Request }) => ({ authorization: req.get('authorization') });
app.use('/trpc', createExpressMiddleware({ router, createContext }));
app.listen(port, '127.0.0.1');
