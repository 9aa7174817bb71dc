import * as z from 'zod';
import { formatLatency, latencyHeader, latencyOf } from './latency.js';
import type { VolumeServers } from './volume-servers.js';

const bands = ['known_exploited', 'likely_exploitable', 'needs_review', 'likely_not_exploitable', 'unanalyzed'];
const tiers = ['RED', 'YELLOW', 'GREEN'];
const severities = ['critical', 'high', 'medium', 'low', 'info'];
const by = (name: string, values: readonly string[]) => values.map((value) => `${name}=${value}`);

const page = z.object({ total: z.int(), items: z.array(z.looseObject({})) });

/** Goal for the median time of a list's first page, in milliseconds. */
const goal = 30;

/** Every list of the API with its filters: paths under /api. */
async function listPaths({ service }: VolumeServers, projectId: string): Promise<string[]> {
  const project = `projects/${projectId}`;
  const first = async (path: string, field: string) =>
    encodeURIComponent(String(page.parse(JSON.parse(await service({ path: `/api/${path}` }))).items[0]?.[field]));
  const all = (path: string, filters: readonly string[]) => [path, ...filters.map((filter) => `${path}?${filter}`)];
  const alerts = `${project}/alerts`;
  const verdicts = `${project}/reachability/verdicts`;
  const cve = await first(`${alerts}?band=needs_review`, 'cve');
  const common = await first(`${alerts}?band=known_exploited`, 'cve');
  const [repo, site, image] = [
    await first(`${project}/sast/scan-jobs`, 'source_repo'),
    await first(`${project}/dast/targets`, 'url'),
    await first(`${project}/containers/images`, 'ref'),
  ];
  const findings = (path: string, source: string) =>
    all(`${project}/${path}`, [
      ...(path === 'containers/findings' ? ['state=all'] : ['state=all', 'state=fixed']),
      ...by('severity', severities),
      ...by('state=all&severity', severities),
      source,
      ...severities.map((severity) => `${source}&severity=${severity}`),
      `${source}&state=all`,
      `${source}&state=all&severity=high`,
      ...(path === 'containers/findings' ? [] : ['state=fixed&severity=high', `${source}&state=fixed`]),
    ]);
  const week = new Date(Date.now() - 7 * 86_400_000).toISOString();
  return [
    ...all(alerts, [
      ...by('status', ['open', 'acknowledged', 'resolved']),
      ...['acknowledged', 'resolved'].flatMap((name) => by(name, ['true', 'false'])),
      ...by('band', bands),
      ...by('tier', tiers),
      ...bands.flatMap((band) => by(`band=${band}&tier`, tiers)),
      ...bands.flatMap((band) => by(`band=${band}&status`, ['open', 'acknowledged', 'resolved'])),
      ...tiers.flatMap((tier) => by(`tier=${tier}&status`, ['open', 'acknowledged', 'resolved'])),
      ...tiers.flatMap((tier) => by(`tier=${tier}&acknowledged`, ['true', 'false'])),
      'acknowledged=true&resolved=true',
      'acknowledged=false&resolved=true',
      'status=acknowledged&band=likely_exploitable&tier=RED',
      'status=acknowledged&acknowledged=false',
    ]),
    ...all(verdicts, [...by('band', bands), `cve=${cve}`, `cve=${cve}&band=needs_review`]),
    ...findings('containers/findings', `image=${image}`),
    ...findings('sast/findings', `source_repo=${repo}`),
    ...findings('dast/findings', `target_url=${site}`),
    ...['containers/images', 'dast/targets', 'dast/scan-jobs', 'dast/server-scan-jobs', 'sast/scan-jobs'].map(
      (path) => `${project}/${path}`,
    ),
    ...['tech-stack', 'package-health', 'webhooks'].map((path) => `${project}/${path}`),
    ...['projects', 'org/members', 'org/invites', 'org/api-keys'],
    ...all('org/audit-log', [
      'actor=mem_volume_0',
      'actor=mem_volume_11',
      'action=project.update',
      'actor=mem_volume_11&action=project.update',
      'actor=nobody',
      `since=${week}`,
      `until=${week}`,
    ]),
    `intelligence/exposed?cve=${common}`,
    `intelligence/exposed?cve=${cve}`,
    'intelligence/exposed?cve=CVE-1999-0001',
  ];
}

/** Prints the time of the first page of every list in a project, slowest first. */
export async function measureLists(servers: VolumeServers, projectId: string): Promise<void> {
  const lists = [];
  for (const path of await listPaths(servers, projectId)) {
    let total = 0;
    const latency = await latencyOf(async () => {
      total = page.parse(
        JSON.parse(await servers.service({ path: `/api/${path}`, asMember: path === 'org/api-keys' })),
      ).total;
    }, 20);
    lists.push({ path: path.replace(`projects/${projectId}/`, ''), ...latency, total });
  }
  lists.sort((a, b) => b.p50 - a.p50);
  const missed = lists.filter(({ p50 }) => p50 >= goal).length;
  console.log(`\n${lists.length} lists and filters, ${missed} of them at ${goal} ms or more`);
  console.log(`${latencyHeader}      total  list`);
  for (const { path, total, ...latency } of lists) {
    console.log(`${formatLatency(latency, goal)} ${String(total).padStart(10)}  ${decodeURIComponent(path)}`);
  }
}
