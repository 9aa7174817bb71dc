import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { settingsRoute } from '../settings/route.js';
import { agentIds } from './agent-ids.js';

const search = z.object({
  agent: z.catch(z.optional(z.enum(agentIds)), undefined),
});

export const connectRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/connect',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./page.js'), 'ConnectPage'),
});
