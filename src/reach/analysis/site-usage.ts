import type { ReportedUsage } from '../../shared/vulnerability-terms.js';
import { listsOf } from '../knowledge/knowledge.js';
import type { PackageSite } from '../languages/language-reader.js';
import type { LockedPackage } from '../lockfiles/package-list.js';
import { holdsOnlyTypes, isDevelopmentTool } from './development-tools.js';

/** What sites alone can show of a package. */
export type SiteUsage = Extract<ReportedUsage, 'reached' | 'imported' | 'mentioned' | 'type_only' | 'tooling'>;

/** Configurations of programs that check, test and build, and that no production code runs in. */
const toolFile = new RegExp(
  `(?:^|/)\\.?(?:${listsOf('javascript/tool-files')('developmentFiles').join('|')})[^/]*$`,
  'i',
);

/**
 * The most that a package's sites show; null where there are none. Mocks, and mentions in tests, are tooling.
 *
 * @param declared for a package that is declared for development, the configuration of a development tool names tools, and any
 *   configuration that names a development tool does: neither names what production loads
 */
export function usageBySites(
  sites: readonly PackageSite[],
  declared: Pick<LockedPackage, 'ecosystem' | 'name' | 'scope'>,
): SiteUsage | null {
  if (holdsOnlyTypes(declared)) return sites.length === 0 ? null : sites.some(isImport) ? 'type_only' : 'tooling';
  const values = sites.filter((site) => isImport(site) && !site.typeOnly);
  if (values.length > 0) return values.some(({ reached }) => reached) ? 'reached' : 'imported';
  const mentions = sites.filter(({ kind, role }) => kind === 'mention' && (role === 'prod' || role === 'config'));
  const isTool = ({ role, file }: PackageSite) =>
    role === 'config' && declared.scope === 'development' && (toolFile.test(file) || isDevelopmentTool(declared));
  if (mentions.some((site) => !isTool(site))) return 'mentioned';
  if (sites.some((site) => isImport(site) && site.typeOnly)) return 'type_only';
  return sites.length > 0 ? 'tooling' : null;
}

function isImport({ kind, role, mock }: PackageSite): boolean {
  return role === 'prod' && kind !== 'mention' && !mock;
}
