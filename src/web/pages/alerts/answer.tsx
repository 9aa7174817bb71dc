import { useQueries } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { counted } from '../../components/number/number.js';
import { type Scope, scoped } from '../../components/posture/types.js';

/** What is open, in one sentence: how much, how bad, and where to begin. */
export function AlertsAnswer({ projectId, group }: Scope) {
  const unresolved = { ...scoped({ projectId, group }), resolved: false, page_size: 1 };
  const [all, exploited, likely] = useQueries({
    queries: [
      api.alerts.list.queryOptions(unresolved),
      api.alerts.list.queryOptions({ ...unresolved, kev: true }),
      api.alerts.list.queryOptions({ ...unresolved, band: 'likely_exploitable' }),
    ],
  });
  // The list below says what failed.
  if (all.data === undefined)
    return all.isPending ? 'Counting what is unresolved …' : 'What is unresolved is not known.';
  const { total, items } = all.data;
  const [first] = items;
  if (first === undefined) return 'No alert is unresolved. What was looked at stands below.';
  const known = [
    exploited.data && `${counted(exploited.data.total, 'is', 'are')} known to be exploited`,
    likely.data && `${counted(likely.data.total, 'is', 'are')} likely exploitable`,
  ].filter((part) => part !== undefined);
  const where = projectId === undefined && first.project !== undefined ? ` in ${first.project.name}` : '';
  const name = first.cve ?? first.advisory_ids[0] ?? first.title;
  const bad = known.length === 0 ? '' : `: ${known.join(', ')}`;
  return `${counted(total, 'alert is', 'alerts are')} unresolved${bad}. First comes ${name} in ${first.package.name}${where}.`;
}
