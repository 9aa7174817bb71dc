import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { whileRunning } from '../../api/while-running.js';
import { FilterBar, FilterSelect } from '../../components/chips/chips.js';
import { counted } from '../../components/number/number.js';
import { Page, Section } from '../../components/page/page.js';
import { jobStateWords } from '../../words.js';
import { Scans } from './scans.js';
import { Uploads } from './uploads.js';

const route = getRouteApi('/frame/jobs');

/** Uploads and scans of all projects. */
export function JobsPage() {
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Jobs" answer={<Answer />}>
      <Section title="Uploads">
        <FilterBar>
          <FilterSelect
            label="State"
            value={state}
            options={jobStateWords}
            onChange={(next) => navigate({ search: { state: next } })}
          />
        </FilterBar>
        <Uploads state={state} />
      </Section>
      <Section title="Scans">
        <Scans />
      </Section>
    </Page>
  );
}

function Answer() {
  const { data } = useQuery({
    ...api.uploads.list.queryOptions({ page_size: 100 }),
    refetchInterval: whileRunning(({ state }) => state),
  });
  if (data === undefined) return 'Uploads and scans of all projects.';
  const open = data.items.filter(({ state }) => state === 'running' || state === 'queued').length;
  const failed = data.items.filter(({ state }) => state === 'failed').length;
  const rest = failed === 0 ? 'none failed' : `${failed} failed`;
  if (data.total === 0) return 'Nothing was uploaded in the last 7 days that took longer than a moment.';
  const shown =
    data.total > data.items.length
      ? `Of the newest ${data.items.length}`
      : `Of ${counted(data.total, 'upload')} in the last 7 days`;
  return `${open === 0 ? 'Nothing is running' : `${counted(open, 'upload')} ${open === 1 ? 'is' : 'are'} running or waiting`}. ${shown} ${rest}.`;
}
