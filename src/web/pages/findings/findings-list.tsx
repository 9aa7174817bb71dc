import { FilterBar, FilterSelect } from '../../components/chips/chips.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { DataList } from '../../components/data-list/data-list.js';
import { counted } from '../../components/number/number.js';
import { scoped } from '../../components/posture/types.js';
import { Empty } from '../../components/state/state.js';
import { domainWords, severityWords } from '../../words.js';
import type { FindingsOf } from './domain.js';
import type { FindingSearch } from './search.js';
import { UploadHint } from './upload-hint.js';

interface FindingsListProps<Row extends { readonly id: string }> {
  readonly of: FindingsOf<Row>;
  /** Undefined: all projects. */
  readonly projectId: string | undefined;
  readonly search: FindingSearch;
  readonly onSearch: (change: Partial<FindingSearch>) => void;
  /** The row whose detail is open. */
  readonly openId: string | undefined;
}

const severities = (({ critical, high, medium, low, info }) => ({ critical, high, medium, low, info }))(severityWords);

/** Findings with their filters. None says what was searched. */
export function FindingsList<Row extends { readonly id: string }>(props: FindingsListProps<Row>) {
  const { of, projectId, search, onSearch, openId } = props;
  const { severity, source, group } = search;
  const state = search.state === 'fixed' && of.states.fixed === undefined ? undefined : search.state;
  const scope = scoped({ projectId, group });
  const query = of.useFindings(
    { ...scope, ...(state !== undefined && { state }), ...(severity !== undefined && { severity: [severity] }) },
    source,
  );
  const named = [...(source === undefined ? [] : [source]), ...(of.useSources(scope) ?? [])];
  const hidden = [projectId !== undefined && 'project', state === undefined && 'state'];
  const columns = of.columns.filter(({ id }) => !hidden.includes(id));
  const first = query.data?.pages[0];
  const isFiltered = severity !== undefined || source !== undefined;
  const [sentence, command] = of.upload;
  return (
    <>
      <FilterBar {...(first !== undefined && { total: counted(first.total, 'finding') })}>
        <FilterSelect<string>
          label="State"
          all="open"
          value={state}
          options={of.states}
          onChange={(next) => onSearch({ state: next === 'fixed' || next === 'all' ? next : undefined })}
        />
        <FilterSelect
          label="Severity"
          value={severity}
          options={severities}
          onChange={(next) => onSearch({ severity: next })}
        />
        <FilterSelect
          label={of.sourceLabel}
          value={source}
          options={Object.fromEntries(named.map((name) => [name, name]))}
          onChange={(next) => onSearch({ source: next })}
        />
      </FilterBar>
      <DataList
        label={`Findings: ${domainWords[of.domain]}`}
        query={query}
        columns={columns}
        rowId={({ id }) => id}
        current={openId}
        empty={
          <Empty title={isFiltered ? 'No finding passes these filters.' : `No ${state ?? 'open'} finding.`}>
            <Coverage coverage={first?.coverage ?? null} />
            <UploadHint projectId={projectId} command={command}>
              {sentence}
            </UploadHint>
          </Empty>
        }
      />
    </>
  );
}
