import type { Call } from '../support/load.js';
import { toolCall } from '../support/mcp-calls.js';
import type { SampleServer } from './sample-server.js';

/** Calls whose capacity is measured. */
export interface Workload {
  readonly name: string;
  readonly calls: readonly Call[];
}

/** Rows of a page of alerts. */
const rows = 12;

/** Questions of a workload, of which no two are the same: so no figure is that of an answer that was kept. */
const questions = 600;

/** Before everything that the sample has, and different in each question, so that all have the same rows. */
const sinceOf = (nth: number) => new Date(Date.UTC(2001, 0, 1) + nth * 1000).toISOString();

export function workloadsOf({ key, projectId }: SampleServer): Workload[] {
  const headers = { authorization: `Bearer ${key}` };
  const tool = (name: string, input: object) => toolCall('2025-06-18', key, name, input);
  const different = (callOf: (nth: number) => Call) => Array.from({ length: questions }, (_, nth) => callOf(nth));
  const listAlerts = (nth: number) =>
    tool('list_alerts', { project_id: projectId, page_size: rows, since: sinceOf(nth) });
  const topRisks = (nth: number) => tool('get_top_risks', { since: sinceOf(nth) });
  const checkPackage = (nth: number) =>
    tool('check_package', { ecosystem: 'npm', name: 'lodash', version: `4.${nth % 17}.${nth}` });
  const findExposed = (nth: number) => tool('find_exposed', { cve: `CVE-2021-${44_000 + nth}` });
  const mixed = [listAlerts, topRisks, checkPackage, findExposed];
  return [
    {
      name: `REST list_alerts, ${rows} rows`,
      calls: different((nth) => ({
        path: `/api/projects/${projectId}/alerts?page_size=${rows}&since=${sinceOf(nth)}`,
        headers,
      })),
    },
    { name: `MCP list_alerts, ${rows} rows`, calls: different(listAlerts) },
    { name: 'MCP get_top_risks', calls: different(topRisks) },
    { name: 'MCP check_package', calls: different(checkPackage) },
    { name: 'MCP find_exposed', calls: different(findExposed) },
    { name: 'four tools mixed', calls: different((nth) => (mixed[nth % mixed.length] ?? listAlerts)(nth)) },
  ];
}
