import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Domain, domainWords } from '../../words.js';
import { GroupBar } from '../groups/group-filter.js';
import { Page } from '../page/page.js';
import type { Scope } from '../posture/types.js';
import { Split } from '../split/split.js';
import { LinkTabs } from '../tabs/link-tabs.js';
import { DomainAnswer, DomainCoverage } from './domain-answer.js';

interface FindingsFrameProps extends Scope {
  readonly domain: Domain;
  /** Asked for a group of projects; absent in one project. */
  readonly onGroup?: (group: string | undefined) => void;
  /** A detail is beside the list. */
  readonly isOpen: boolean;
  /** Links to the views of the page. */
  readonly tabs?: ReactNode;
  readonly children: ReactNode;
}

/** A page of scanners' findings: the answer, what was searched, a list, and the detail beside it. */
export function FindingsFrame({ domain, projectId, group, onGroup, isOpen, tabs, children }: FindingsFrameProps) {
  const scope = { domain, projectId, group };
  const list = (
    <Page title={domainWords[domain]} answer={<DomainAnswer {...scope} />}>
      {onGroup !== undefined && <GroupBar value={group} onChange={onGroup} />}
      <DomainCoverage {...scope} />
      {tabs !== undefined && <LinkTabs label={`Views: ${domainWords[domain]}`}>{tabs}</LinkTabs>}
      {children}
    </Page>
  );
  return <Split list={list} detail={<Outlet />} isOpen={isOpen} />;
}
