import { Link, linkOptions, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FindingSeverity, Tier } from '../../../shared/vulnerability-terms.js';
import type { Band, Domain } from '../../words.js';
import type { Scope, TopFinding } from './types.js';

/** What a list is opened with: alerts by tier, band and status, findings by severity. */
interface ListFilter {
  readonly tier?: Tier;
  readonly band?: Band;
  readonly status?: 'acknowledged';
  readonly severity?: FindingSeverity;
}

/** The list of a domain's findings: of all projects, of a group’s, or of one. */
export function listOf(domain: Domain, { projectId, group }: Scope, { severity, ...ofAlerts }: ListFilter = {}) {
  const search = severity === undefined ? {} : { severity };
  if (projectId === undefined) {
    const ofGroup = group === undefined ? search : { ...search, group };
    return {
      dependencies: linkOptions({ to: '/alerts', search: group === undefined ? ofAlerts : { ...ofAlerts, group } }),
      code: linkOptions({ to: '/code', search: ofGroup }),
      running_app: linkOptions({ to: '/running-app', search: ofGroup }),
      containers: linkOptions({ to: '/images', search: ofGroup }),
    }[domain];
  }
  const params = { projectId };
  return {
    dependencies: linkOptions({ to: '/projects/$projectId/alerts', params, search: ofAlerts }),
    code: linkOptions({ to: '/projects/$projectId/code', params, search }),
    running_app: linkOptions({ to: '/projects/$projectId/running-app', params, search }),
    containers: linkOptions({ to: '/projects/$projectId/images', params, search }),
  }[domain];
}

interface ListLinkProps extends Scope {
  readonly domain: Domain;
  readonly filter?: ListFilter;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function ListLink({ domain, projectId, group, filter, ...rest }: ListLinkProps) {
  return <Link {...listOf(domain, { projectId, group }, filter)} {...rest} />;
}

interface Target extends Pick<TopFinding, 'domain' | 'id'> {
  readonly project: { readonly id: string };
}

/** The page of a finding, in the list of its project where the reader is in that project. */
export function findingPage({ domain, id, project }: Target, projectId: string | undefined) {
  const alert = { projectId: projectId ?? project.id, alertId: id };
  const finding = { projectId: projectId ?? project.id, findingId: id };
  if (projectId === undefined) {
    return {
      dependencies: linkOptions({ to: '/alerts/$projectId/$alertId', params: alert }),
      code: linkOptions({ to: '/code/$projectId/$findingId', params: finding }),
      running_app: linkOptions({ to: '/running-app/$projectId/$findingId', params: finding }),
      containers: linkOptions({ to: '/images/$projectId/$findingId', params: finding }),
    }[domain];
  }
  return {
    dependencies: linkOptions({ to: '/projects/$projectId/alerts/$alertId', params: alert }),
    code: linkOptions({ to: '/projects/$projectId/code/$findingId', params: finding }),
    running_app: linkOptions({ to: '/projects/$projectId/running-app/$findingId', params: finding }),
    containers: linkOptions({ to: '/projects/$projectId/images/$findingId', params: finding }),
  }[domain];
}

/** The project whose pages the reader is in; undefined where pages show all projects. */
export function useProjectId(): string | undefined {
  return useParams({ from: '/frame/projects/$projectId', shouldThrow: false })?.projectId;
}
