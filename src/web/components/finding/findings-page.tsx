import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RouterOutputs } from '../../../client/index.js';
import type { Page as PageOfRows } from '../../api/pages.js';
import { type Domain, domainWords, severityWords } from '../../words.js';
import { FilterBar, FilterSelect } from '../chips/chips.js';
import { Coverage } from '../coverage/coverage.js';
import type { Column } from '../data-list/columns.js';
import { DataList, type PagesQuery } from '../data-list/data-list.js';
import { counted } from '../number/number.js';
import { Page } from '../page/page.js';
import { Split } from '../split/split.js';
import { Empty } from '../state/state.js';
import { DomainAnswer, DomainCoverage } from './domain-answer.js';
import type { FindingSearch } from './search.js';

type Answer = PageOfRows<unknown> & Pick<RouterOutputs['sast']['listFindings'], 'coverage'>;

interface FindingsPageProps<Row extends { readonly id: string }> {
  readonly domain: Domain;
  /** Undefined: all projects. */
  readonly projectId: string | undefined;
  readonly search: FindingSearch;
  readonly onSearch: (change: Partial<FindingSearch>) => void;
  readonly query: PagesQuery<Row> & { readonly data: { readonly pages: readonly Answer[] } | undefined };
  readonly columns: ReadonlyArray<Column<Row>>;
  /** States that the list can be asked for, besides `open`. */
  readonly states: Readonly<Record<string, string>>;
  /** What a source is called, and those that scans have named. */
  readonly source: { readonly label: string; readonly options: Readonly<Record<string, string>> };
  /** How a first report comes here. */
  readonly next: ReactNode;
  /** The row whose detail is open. */
  readonly openId: string | undefined;
  readonly actions?: ReactNode;
  /** Parts between the answer and the list. */
  readonly children?: ReactNode;
}

const severities = (({ critical, high, medium, low, info }) => ({ critical, high, medium, low, info }))(severityWords);

/** A page of scanners' findings: the answer, what was searched, the list with its filters, and the detail beside it. */
export function FindingsPage<Row extends { readonly id: string }>(props: FindingsPageProps<Row>) {
  const { domain, projectId, search, onSearch, query, columns, states, source, next, openId, actions, children } =
    props;
  const first = query.data?.pages[0];
  const { source: chosen } = search;
  const sources = { ...(chosen !== undefined && { [chosen]: chosen }), ...source.options };
  const isFiltered = search.severity !== undefined || chosen !== undefined;
  const list = (
    <Page
      title={domainWords[domain]}
      answer={<DomainAnswer domain={domain} projectId={projectId} />}
      {...(actions !== undefined && { actions })}
    >
      <DomainCoverage domain={domain} projectId={projectId} />
      {children}
      <FilterBar {...(first !== undefined && { total: counted(first.total, 'finding') })}>
        <FilterSelect<string>
          label="State"
          all="open"
          value={search.state}
          options={states}
          onChange={(state) => onSearch({ state: state === 'fixed' || state === 'all' ? state : undefined })}
        />
        <FilterSelect
          label="Severity"
          value={search.severity}
          options={severities}
          onChange={(severity) => onSearch({ severity })}
        />
        <FilterSelect
          label={source.label}
          value={chosen}
          options={sources}
          onChange={(next) => onSearch({ source: next })}
        />
      </FilterBar>
      <DataList
        label={`Findings: ${domainWords[domain]}`}
        query={query}
        columns={columns}
        rowId={({ id }) => id}
        current={openId}
        empty={
          <Empty title={isFiltered ? 'No finding passes these filters.' : `No ${search.state ?? 'open'} finding.`}>
            <Coverage coverage={first?.coverage ?? null} />
            {next}
          </Empty>
        }
      />
    </Page>
  );
  return <Split list={list} detail={<Outlet />} isOpen={openId !== undefined} />;
}
