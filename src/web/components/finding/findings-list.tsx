import type { ReactNode } from 'react';
import type { RouterOutputs } from '../../../client/index.js';
import type { Page as PageOfRows } from '../../api/pages.js';
import { type Domain, domainWords, severityWords } from '../../words.js';
import { FilterBar, FilterSelect } from '../chips/chips.js';
import { Coverage } from '../coverage/coverage.js';
import type { Column } from '../data-list/columns.js';
import { DataList, type PagesQuery } from '../data-list/data-list.js';
import { counted } from '../number/number.js';
import { Empty } from '../state/state.js';
import type { FindingSearch } from './search.js';

type Answer = PageOfRows<unknown> & Pick<RouterOutputs['sast']['listFindings'], 'coverage'>;

interface FindingsListProps<Row extends { readonly id: string }> {
  readonly domain: Domain;
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
}

const severities = (({ critical, high, medium, low, info }) => ({ critical, high, medium, low, info }))(severityWords);

/** Findings with their filters. None says what was searched. */
export function FindingsList<Row extends { readonly id: string }>(props: FindingsListProps<Row>) {
  const { domain, search, onSearch, query, columns, states, source, next, openId } = props;
  const first = query.data?.pages[0];
  const { state, severity, source: chosen } = search;
  const sources = { ...(chosen !== undefined && { [chosen]: chosen }), ...source.options };
  const isFiltered = severity !== undefined || chosen !== undefined;
  return (
    <>
      <FilterBar {...(first !== undefined && { total: counted(first.total, 'finding') })}>
        <FilterSelect<string>
          label="State"
          all="open"
          value={state}
          options={states}
          onChange={(next) => onSearch({ state: next === 'fixed' || next === 'all' ? next : undefined })}
        />
        <FilterSelect
          label="Severity"
          value={severity}
          options={severities}
          onChange={(next) => onSearch({ severity: next })}
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
          <Empty title={isFiltered ? 'No finding passes these filters.' : `No ${state ?? 'open'} finding.`}>
            <Coverage coverage={first?.coverage ?? null} />
            {next}
          </Empty>
        }
      />
    </>
  );
}
