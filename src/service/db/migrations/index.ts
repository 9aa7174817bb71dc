import type { Migration } from 'kysely';
import { up as first } from './0001-first.js';
import { up as verdicts } from './0002-verdicts.js';
import { up as findings } from './0003-findings.js';
import { up as webhooks } from './0004-webhooks.js';
import { up as posture } from './0005-posture.js';
import { up as webhookKinds } from './0006-webhook-kinds.js';
import { up as coverage } from './0007-coverage.js';
import { up as advisories } from './0008-advisories.js';
import { up as seenBy } from './0009-seen-by.js';
import { up as stackGraph } from './0010-stack-graph.js';
import { up as vex } from './0011-vex.js';
import { up as namedCves } from './0012-named-cves.js';
import { up as usageClasses } from './0013-usage-classes.js';
import { up as changeSets } from './0014-change-sets.js';
import { up as uploads } from './0015-uploads.js';
import { up as signIn } from './0016-sign-in.js';
import { up as assessments } from './0017-assessments.js';
import { up as webhookOrigins } from './0018-webhook-origins.js';
import { up as denseFindings } from './0019-dense-findings.js';
import { up as usageLandings } from './0020-usage-landings.js';
import { up as setsOfUploads } from './0021-sets-of-uploads.js';
import { up as removedProjects } from './0022-removed-projects.js';
import { up as vexLandings } from './0023-vex-landings.js';
import { up as evaluatedImages } from './0024-evaluated-images.js';
import { up as listsOfAll } from './0025-lists-of-all.js';
import { up as search } from './0026-search.js';
import { up as stackCounts } from './0027-stack-counts.js';
import { up as knownExploited } from './0028-known-exploited.js';
import { up as alertFilters } from './0029-alert-filters.js';
import { up as auditTargets } from './0030-audit-targets.js';
import { up as alertHistory } from './0031-alert-history.js';
import { up as advisoryTexts } from './0032-advisory-texts.js';
import { up as bundledPackages } from './0033-bundled-packages.js';
import { up as lastWrites } from './0034-last-writes.js';
import { up as keptAnswersByAge } from './0035-kept-answers-by-age.js';
import { up as unreadParts } from './0036-unread-parts.js';
import { up as knownExploitedOverrides } from './0037-known-exploited-overrides.js';
import { up as registryVersions } from './0038-registry-versions.js';
import { up as registryReleases } from './0039-registry-releases.js';
import { up as projectGroups } from './0040-project-groups.js';
import { up as people } from './0041-people.js';
import { up as auditOrigin } from './0042-audit-origin.js';
import { up as groupRoles } from './0043-group-roles.js';
import { up as mails } from './0045-mails.js';
import { up as timesOfLists } from './0046-times-of-lists.js';
import { up as weaknesses } from './0047-weaknesses.js';
import { up as receiptKeys } from './0048-receipt-keys.js';
import { up as jobs } from './0049-jobs.js';

/** Every migration by its name, in order. A released one never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': { up: first },
  '0002-verdicts': { up: verdicts },
  '0003-findings': { up: findings },
  '0004-webhooks': { up: webhooks },
  '0005-posture': { up: posture },
  '0006-webhook-kinds': { up: webhookKinds },
  '0007-coverage': { up: coverage },
  '0008-advisories': { up: advisories },
  '0009-seen-by': { up: seenBy },
  '0010-stack-graph': { up: stackGraph },
  '0011-vex': { up: vex },
  '0012-named-cves': { up: namedCves },
  '0013-usage-classes': { up: usageClasses },
  '0014-change-sets': { up: changeSets },
  '0015-uploads': { up: uploads },
  '0016-sign-in': { up: signIn },
  '0017-assessments': { up: assessments },
  '0018-webhook-origins': { up: webhookOrigins },
  '0019-dense-findings': { up: denseFindings },
  '0020-usage-landings': { up: usageLandings },
  '0021-sets-of-uploads': { up: setsOfUploads },
  '0022-removed-projects': { up: removedProjects },
  '0023-vex-landings': { up: vexLandings },
  '0024-evaluated-images': { up: evaluatedImages },
  '0025-lists-of-all': { up: listsOfAll },
  '0026-search': { up: search },
  '0027-stack-counts': { up: stackCounts },
  '0028-known-exploited': { up: knownExploited },
  '0029-alert-filters': { up: alertFilters },
  '0030-audit-targets': { up: auditTargets },
  '0031-alert-history': { up: alertHistory },
  '0032-advisory-texts': { up: advisoryTexts },
  '0033-bundled-packages': { up: bundledPackages },
  '0034-last-writes': { up: lastWrites },
  '0035-kept-answers-by-age': { up: keptAnswersByAge },
  '0036-unread-parts': { up: unreadParts },
  '0037-known-exploited-overrides': { up: knownExploitedOverrides },
  '0038-registry-versions': { up: registryVersions },
  '0039-registry-releases': { up: registryReleases },
  '0040-project-groups': { up: projectGroups },
  '0041-people': { up: people },
  '0042-audit-origin': { up: auditOrigin },
  '0043-group-roles': { up: groupRoles },
  '0045-mails': { up: mails },
  '0046-times-of-lists': { up: timesOfLists },
  '0047-weaknesses': { up: weaknesses },
  '0048-receipt-keys': { up: receiptKeys },
  '0049-jobs': { up: jobs },
};
