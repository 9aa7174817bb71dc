import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { auditSearch } from '../pages/audit-log/filters.js';
import { agentIds } from '../pages/connect/agent-ids.js';
import { frameRoute } from './organisation.js';

/** The settings: tabs around the pages of each part. */
const settingsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings/layout.js'), 'SettingsLayout'),
});

const membersSearch = z.object({
  /** The member whose sessions are shown. */
  sessions_of: z.catch(z.optional(z.string().check(z.maxLength(64))), undefined),
});

const connectSearch = z.object({
  agent: z.catch(z.optional(z.enum(agentIds)), undefined),
});

const pages = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/organisation/page.js'), 'OrganisationPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/members',
    validateSearch: membersSearch,
    component: lazyRouteComponent(() => import('../pages/members/page.js'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('../pages/sign-in-settings/page.js'), 'SignInSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/groups',
    component: lazyRouteComponent(() => import('../pages/groups/page.js'), 'GroupsPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/api-keys',
    component: lazyRouteComponent(() => import('../pages/api-keys/page.js'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/connect',
    validateSearch: connectSearch,
    component: lazyRouteComponent(() => import('../pages/connect/page.js'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/audit-log',
    validateSearch: auditSearch,
    component: lazyRouteComponent(() => import('../pages/audit-log/page.js'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('../pages/account/page.js'), 'AccountPage'),
  }),
] as const;

export const settingsPages = settingsRoute.addChildren(pages);
