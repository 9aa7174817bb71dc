import type { ComponentType } from 'react';
import type { RouterOutputs } from '../../../client/index.js';
import type { Page } from '../../api/pages.js';
import type { Column } from '../../components/data-list/columns.js';
import type { PagesQuery } from '../../components/data-list/data-list.js';
import type { Scope, scoped } from '../../components/posture/types.js';
import type { Domain } from '../../words.js';
import type { FindingSearch } from './search.js';

export type FindingsDomain = Exclude<Domain, 'dependencies'>;

/** What a list of findings is asked for. */
interface FindingsInput extends ReturnType<typeof scoped> {
  readonly state?: NonNullable<FindingSearch['state']>;
  readonly severity?: NonNullable<FindingSearch['severity']>[];
}

type Answer = Page<unknown> & Pick<RouterOutputs['sast']['listFindings'], 'coverage'>;

/** A view of a page. */
interface Tab {
  readonly name: string;
  /** As the address has it. */
  readonly view: 'findings' | 'targets' | undefined;
  /** Absent for the findings. */
  readonly Content?: ComponentType<Scope>;
}

/** What makes the page of one domain's findings. */
export interface FindingsOf<Row extends { readonly id: string }> {
  readonly domain: FindingsDomain;
  /** `project` is shown where there are several, `state` where findings of several states are asked for. */
  readonly columns: ReadonlyArray<Column<Row>>;
  /** States that can be asked for, besides `open`. */
  readonly states: { readonly fixed?: string; readonly all: string };
  readonly useFindings: (
    input: FindingsInput,
    source: string | undefined,
  ) => PagesQuery<Row> & { readonly data: { readonly pages: readonly Answer[] } | undefined };
  /** What a source is called. */
  readonly sourceLabel: string;
  /** Sources that scans have named. */
  readonly useSources: (scope: ReturnType<typeof scoped>) => readonly string[] | undefined;
  /** How a first report comes here: a sentence, and the command. */
  readonly upload: readonly [sentence: string, command: string];
  /** The first is shown where the address names none. Absent where the page has only findings. */
  readonly tabs?: readonly Tab[];
}
