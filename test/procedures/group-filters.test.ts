import { expect, test } from 'vitest';
import { everyProcedure } from '../support/upstream.js';

/** What is read without a project and is about none, or about one thing: no group narrows it. */
const aboutNoProjects: ReadonlySet<string> = new Set([
  ...['organisation.get', 'organisation.listMembers', 'organisation.listSessions', 'organisation.listInvites'],
  ...[
    'groups.list',
    'organisation.exportAuditLog',
    'intelligence.checkPackage',
    'intelligence.getFeeds',
    'webhooks.listDeliveries',
    'alerts.get',
    'reachability.getVerdict',
  ],
  ...['session.get', 'session.list', 'session.listOrganisations', 'apiKeys.list'],
  ...['signIn.listIssuers', 'signIn.listDomains', 'signIn.listIdentities', 'signIn.getPasswordPolicy'],
  ...['receipts.getKeys', 'posture.getRevisions'],
]);

const spanning = everyProcedure.filter(
  ([path, { access, input }]) =>
    access === 'read' &&
    !aboutNoProjects.has(path) &&
    input.shape['project_id']?.safeParse(undefined).success !== false,
);

test('every list, posture and composite over several projects takes a group', () => {
  expect(spanning.length).toBeGreaterThan(20);
  const without = spanning.filter(([, { input }]) => input.shape['group']?.safeParse(undefined).success !== true);
  expect(without.map(([path]) => path)).toEqual([]);
});

test('what is said to be about no projects is there, and takes none', () => {
  const known = new Map(everyProcedure);
  expect([...aboutNoProjects].filter((path) => known.get(path)?.input.shape['group'] !== undefined)).toEqual([]);
  expect([...aboutNoProjects].filter((path) => !known.has(path))).toEqual([]);
});
