import type { ReportedUsage } from '../../shared/vulnerability-terms.js';
import type { PackageSite } from '../languages/language-reader.js';

/** What sites alone can show of a package. */
export type SiteUsage = Extract<ReportedUsage, 'reached' | 'imported' | 'mentioned' | 'type_only' | 'tooling'>;

/** The most that a package's sites show; null where there are none. Mocks, and mentions in tests, are tooling. */
export function usageBySites(sites: readonly PackageSite[]): SiteUsage | null {
  const values = sites.filter((site) => isImport(site) && !site.typeOnly);
  if (values.length > 0) return values.some(({ reached }) => reached) ? 'reached' : 'imported';
  if (sites.some(({ kind, role }) => kind === 'mention' && (role === 'prod' || role === 'config'))) return 'mentioned';
  if (sites.some((site) => isImport(site) && site.typeOnly)) return 'type_only';
  return sites.length > 0 ? 'tooling' : null;
}

function isImport({ kind, role, mock }: PackageSite): boolean {
  return role === 'prod' && kind !== 'mention' && !mock;
}
