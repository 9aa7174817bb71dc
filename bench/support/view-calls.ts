import * as z from 'zod';
import { formatLatency, latencyHeader, latencyOf } from './latency.js';
import type { VolumeServers } from './volume-servers.js';

const page = z.object({ items: z.array(z.looseObject({ id: z.string() })) });

/** Goal for the median time of what one page of a dashboard reads, in milliseconds. */
const goal = 100;

/** Prints the times of what a dashboard reads besides the lists: the trend, all projects, filtered alerts, and one alert. */
export async function measureViews({ service }: VolumeServers, projectId: string): Promise<void> {
  const project = `projects/${projectId}`;
  const first = async (filter: string) =>
    page.parse(JSON.parse(await service({ path: `/api/${project}/alerts?${filter}` }))).items[0];
  const [alert, rare] = [await first('band=needs_review'), await first('band=known_exploited')];
  const paths = [
    ...['', `&project_id=${projectId}`].flatMap((scope) =>
      [7, 90].map((days) => `posture/trend?window_days=${days}${scope}`),
    ),
    ...['', 'page_size=100', 'sort=name', 'q=api', 'q=nothing'].map((query) => `posture/projects?${query}`),
    ...['usage=called', 'usage=not_used', 'usage=not_analyzed', 'kev=true', 'kev=false', 'fixable=true'].map(
      (filter) => `${project}/alerts?${filter}`,
    ),
    ...['fixable=false', 'package=a', 'package=nothing', 'kev=true&package=a', 'usage=called&tier=RED'].map(
      (filter) => `${project}/alerts?${filter}`,
    ),
    `${project}/alerts?cve=${rare?.['cve']}`,
    `${project}/alerts/${alert?.id}`,
    `${project}/alerts/${alert?.id}/history`,
  ];
  console.log(`\n${latencyHeader}   view`);
  for (const path of paths) {
    const measured = await latencyOf(() => service({ path: `/api/${path}` }), 30);
    console.log(`${formatLatency(measured, goal)}   ${path.replace(project, '')}`);
  }
}
