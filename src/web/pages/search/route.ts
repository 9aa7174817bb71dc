import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { frameRoute } from '../../frame/frame-route.js';
import { ecosystemNames } from './ecosystems.js';

const search = z.object({
  q: z.catch(z.optional(z.string().check(z.trim(), z.maxLength(200))), undefined),
  /** Of the package whose version is asked for. */
  ecosystem: z.catch(z.optional(z.enum(ecosystemNames)), undefined),
});

export const searchRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/search',
  validateSearch: search,
  component: lazyRouteComponent(() => import('./page.js'), 'SearchPage'),
});
