import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { auditSearch } from '../pages/audit-log/filters.js';
import { agentIds } from '../pages/connect/agent-ids.js';
import { frameRoute } from './organisation.js';

/** The settings: tabs around the pages of each part. */
const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings/layout.js')),
});
const inSettings = { getParentRoute: () => settingsRoute };

const membersSearch = z.object({
  /** The member whose sessions are shown. */
  sessions_of: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined),
});

const connectSearch = z.object({
  agent: z.catch(z.optional(z.enum(agentIds)), undefined),
});

const organisation = lazyRouteComponent(() => import('../pages/organisation/page.js'));
const members = lazyRouteComponent(() => import('../pages/members/page.js'));
const signIn = lazyRouteComponent(() => import('../pages/sign-in-settings/page.js'));
const groups = lazyRouteComponent(() => import('../pages/groups/page.js'));
const apiKeys = lazyRouteComponent(() => import('../pages/api-keys/page.js'));
const connect = lazyRouteComponent(() => import('../pages/connect/page.js'));
const auditLog = lazyRouteComponent(() => import('../pages/audit-log/page.js'));
const account = lazyRouteComponent(() => import('../pages/account/page.js'));

const pages = [
  createRoute({ ...inSettings, path: '/', component: organisation }),
  createRoute({ ...inSettings, path: '/members', validateSearch: membersSearch, component: members }),
  createRoute({ ...inSettings, path: '/sign-in', component: signIn }),
  createRoute({ ...inSettings, path: '/groups', component: groups }),
  createRoute({ ...inSettings, path: '/api-keys', component: apiKeys }),
  createRoute({ ...inSettings, path: '/connect', validateSearch: connectSearch, component: connect }),
  createRoute({ ...inSettings, path: '/audit-log', validateSearch: auditSearch, component: auditLog }),
  createRoute({ ...inSettings, path: '/account', component: account }),
] as const;

export const settingsPages = settingsRoute.addChildren(pages);
