import type * as z from 'zod';
import type { techStack } from '../../procedures/tech-stack.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { AlertFacts } from '../alerts/alert-facts.js';
import type { Handlers } from '../api/handler.js';
import { defaultSource, readSbom } from './documents/read-sbom.js';
import { type StatedVulnerability, statedVulnerabilities } from './documents/stated-vulnerabilities.js';
import { replaceSource } from './replace-source.js';
import { countWithoutAlert } from './reported-vulnerabilities.js';
import { packagesOf } from './sbom-packages.js';
import { isSystemPackage, typeOf, type UnmatchedComponent } from './unmatched-component.js';

type UploadAnswer = z.output<typeof techStack.uploadSbom.output>;
type NotMatched = UploadAnswer['not_matched'];

/** Types listed in one answer. */
const maxTypes = 20;

export const uploadSbom: Handlers['techStack']['uploadSbom'] = {
  async read({ project_id, source, force, document }) {
    const sbom = await readSbom(document);
    const found = await packagesOf(sbom);
    const { vulnerabilities, receipt } = await statedVulnerabilities(sbom.vulnerabilities, found);
    const { packages, unmatched, directKnown, unread } = found;
    const replacement = {
      projectId: project_id,
      source: source ?? defaultSource(sbom),
      force,
      packages,
      contents: { directKnown, unmatched, vulnerabilities, unread, tool: null },
      action: 'tech_stack.upload_sbom',
    } as const;
    const answer = {
      format: sbom.format,
      receipt: found.receipt,
      not_matched: notMatched(unmatched),
      dependencies: [...packages, ...unmatched].reduce((sum, { dependencies }) => sum + dependencies.length, 0),
    };
    const names = namesOf(vulnerabilities);
    return async (ctx) => {
      const coming = new Set<string>();
      return replaceSource<UploadAnswer>(ctx, replacement, {
        onOpened(opened) {
          for (const alert of opened) {
            for (const id of idsOf(alert)) if (names.has(id)) coming.add(`${packageKey(alert)} ${id}`);
          }
        },
        async complete(step) {
          const project = { organisationId: ctx.organisationId, projectId: project_id };
          const without_alert =
            receipt.taken === 0 ? 0 : await countWithoutAlert(step, project, replacement.source, coming);
          return (synced) => ({ ...synced, ...answer, vulnerabilities: { ...receipt, without_alert } });
        },
      });
    };
  },
};

/** All ids that an alert may be known by. */
function idsOf({ vulnerability_id, advisory_ids, cves }: AlertFacts): string[] {
  return [vulnerability_id, ...advisory_ids, ...cves];
}

/** All ids of stated vulnerabilities. */
function namesOf(vulnerabilities: readonly StatedVulnerability[]): Set<string> {
  return new Set(vulnerabilities.flatMap(({ vulnerability_id, aliases }) => [vulnerability_id, ...aliases]));
}

/** What is kept and exported, and what no feed can say anything about. */
function notMatched(unmatched: readonly UnmatchedComponent[]): NotMatched {
  const counts = new Map<string, number>();
  for (const component of unmatched) {
    const type = typeOf(component) ?? 'without a package URL';
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const types = [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count);
  return { count: unmatched.length, types: types.slice(0, maxTypes), note: noteOf(unmatched) };
}

function noteOf(unmatched: readonly UnmatchedComponent[]): string | null {
  if (unmatched.length === 0) return null;
  const note = 'Kept and exported, but no advisory here is compared with these.';
  return unmatched.some(isSystemPackage)
    ? `${note} For packages of an operating system upload a scan of the image (Trivy, Grype).`
    : note;
}
