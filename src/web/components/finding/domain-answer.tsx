import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { explain } from '../../api/explain.js';
import type { Domain } from '../../words.js';
import { Coverage } from '../coverage/coverage.js';
import { counted } from '../format/format.js';
import { Missing } from '../page/page.js';
import { type Scope, scoped } from '../posture/types.js';

interface ScopeProps extends Scope {
  readonly domain: Domain;
}

function useSummary({ domain, ...scope }: ScopeProps) {
  return useQuery(api.posture.getDomainSummary.queryOptions({ domain, ...scoped(scope) }));
}

/** The answer of a page of findings in one sentence: how many are open, how bad, and what the week brought. */
export function DomainAnswer(scope: ScopeProps) {
  const { data, error } = useSummary(scope);
  if (data === undefined) return error === null ? <>Counting …</> : null;
  const { red, yellow, green } = data.tiers;
  const sum = (key: 'open' | 'new' | 'reopened' | 'resolved') => red[key] + yellow[key] + green[key];
  const open = sum('open');
  const more = sum('new') + sum('reopened');
  const week = `In the last 7 days ${more === 0 ? 'nothing came' : `${more} came`} and ${sum('resolved')} went.`;
  if (open === 0) return <>No finding is open. {week}</>;
  return (
    <>
      {counted(open, 'finding')} {open === 1 ? 'is' : 'are'} open: {red.open} red, {yellow.open} yellow, {green.open}{' '}
      green. {week}
    </>
  );
}

/** What stands behind the page: what was searched, and how long ago. */
export function DomainCoverage(scope: ScopeProps) {
  const { data, error } = useSummary(scope);
  if (data !== undefined) return <Coverage coverage={data.coverage} />;
  if (error === null) return null;
  return <Missing title="What was searched is not known." reason={explain(error).detail} />;
}
