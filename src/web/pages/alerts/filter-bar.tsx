import { FilterBar, FilterFlag, FilterSelect, FilterText } from '../../components/chips/chips.js';
import { counted } from '../../components/format/format.js';
import { GroupFilter } from '../../components/groups/groups.js';
import { bandWords, tierWords, usageWords } from '../../words.js';
import { type AlertFilters, namedBy } from './filters.js';

const statusWords = { open: 'open', acknowledged: 'acknowledged', resolved: 'resolved', all: 'any' } as const;
const yesNo = { true: 'yes', false: 'no' } as const;

interface AlertFilterBarProps {
  readonly projectId: string | undefined;
  readonly filters: AlertFilters;
  readonly onChange: (filters: AlertFilters) => void;
  /** Alerts that the filters leave; undefined until it is known. */
  readonly total: number | undefined;
}

export function AlertFilterBar({ projectId, filters, onChange, total }: AlertFilterBarProps) {
  const set = (changed: AlertFilters) => onChange({ ...filters, ...changed });
  return (
    <FilterBar total={total === undefined ? '' : counted(total, 'alert')}>
      <FilterText
        label="Package or CVE"
        placeholder="any"
        value={filters.cve ?? filters.package}
        onChange={(words) => set(namedBy(words ?? ''))}
      />
      {projectId === undefined && <GroupFilter value={filters.group} onChange={(group) => set({ group })} />}
      <FilterSelect label="Verdict" value={filters.band} options={bandWords} onChange={(band) => set({ band })} />
      <FilterSelect label="Tier" value={filters.tier} options={tierWords} onChange={(tier) => set({ tier })} />
      <FilterSelect
        label="Status"
        value={filters.status}
        options={statusWords}
        all="unresolved"
        onChange={(status) => set({ status })}
      />
      <FilterSelect label="Usage" value={filters.usage} options={usageWords} onChange={(usage) => set({ usage })} />
      <FilterFlag label="Known exploited" value={filters.kev} words={yesNo} onChange={(kev) => set({ kev })} />
      <FilterFlag label="Fix known" value={filters.fixable} words={yesNo} onChange={(fixable) => set({ fixable })} />
    </FilterBar>
  );
}
