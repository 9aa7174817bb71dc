import type { Call } from '../support/load.js';
import { toolCall } from '../support/mcp-calls.js';
import type { SampleServer } from './sample-server.js';

/** Calls whose capacity is measured. */
export interface Workload {
  readonly name: string;
  /** How many times as many calls a second as commit 6221f7d. */
  readonly goal: number;
  readonly calls: readonly Call[];
}

/** Rows of a page of alerts. */
const rows = 12;

export function workloadsOf({ key, projectId }: SampleServer): Workload[] {
  const headers = { authorization: `Bearer ${key}` };
  const tool = (name: string, input = {}) => toolCall('2025-06-18', key, name, input);
  const listAlerts = tool('list_alerts', { project_id: projectId, page_size: rows });
  const [getOrg, getSummary] = [tool('get_org'), tool('get_posture_summary')];
  return [
    { name: 'REST get_org', goal: 5, calls: [{ path: '/api/org', headers }] },
    {
      name: `REST list_alerts, ${rows} rows`,
      goal: 5,
      calls: [{ path: `/api/projects/${projectId}/alerts?page_size=${rows}`, headers }],
    },
    { name: 'MCP get_org', goal: 5, calls: [getOrg] },
    { name: 'MCP list_alerts', goal: 5, calls: [listAlerts] },
    { name: 'MCP get_posture_summary', goal: 8, calls: [getSummary] },
    {
      name: 'five tools mixed',
      goal: 7,
      calls: [getOrg, tool('list_projects'), listAlerts, tool('get_top_risks'), getSummary],
    },
  ];
}
