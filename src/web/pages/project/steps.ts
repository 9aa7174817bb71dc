import type { RouterOutputs } from '../../api/client.js';
import { ourCommand } from '../../components/copy/our-command.js';
import type { ProjectPosture } from '../../components/posture/types.js';

export type Project = RouterOutputs['projects']['get'];

export interface Step {
  readonly id: 'packages' | 'usage' | 'code' | 'running_app' | 'containers';
  readonly title: string;
  /** The same within a sentence. */
  readonly what: string;
  /** What is known once it has come. */
  readonly brings: string;
  readonly command: string;
  /** When it came last; null: never. */
  readonly at: Date | null;
  readonly plan?: 'Business';
}

/** What can be known of a project, in the order of what it brings, each with the command that brings it. */
export function stepsOf({ id, exposure, repo }: Project, posture: ProjectPosture): Step[] {
  const project = `--project ${id}`;
  const declared = exposure === 'unknown' ? ' --exposure internet' : '';
  return [
    {
      id: 'packages',
      title: 'Packages',
      what: 'its packages',
      brings: 'Which packages it has. Alerts follow at once.',
      command: ourCommand(`reach sync . ${project}`),
      at: posture.stack_changed_at,
    },
    {
      id: 'usage',
      title: 'How packages are used',
      what: 'how packages are used',
      brings: 'A verdict for each alert: does it matter here? The source is read, not run.',
      command: ourCommand(`reach analyze . ${project}${declared}`),
      at: posture.usage_reported_at,
      plan: 'Business',
    },
    {
      id: 'code',
      title: 'Code',
      what: 'its code',
      brings: 'Findings of any scanner that writes SARIF.',
      command: ourCommand(
        `reach upload sarif report.sarif ${project} --repo ${repo ?? 'https://github.com/acme/shop'}`,
      ),
      at: posture.scanned_at.code,
    },
    {
      id: 'running_app',
      title: 'Running app',
      what: 'the running app',
      brings: 'Findings of ZAP on the application as it runs.',
      command: ourCommand(`reach upload zap zap.json ${project}`),
      at: posture.scanned_at.running_app,
    },
    {
      id: 'containers',
      title: 'Images',
      what: 'its images',
      brings: 'Findings of Trivy or Grype in its images.',
      command: ourCommand(`reach upload trivy image.json ${project}`),
      at: posture.scanned_at.containers,
    },
  ];
}

export function isComplete({ stack_changed_at, usage_reported_at, scanned_at }: ProjectPosture): boolean {
  return [stack_changed_at, usage_reported_at, ...Object.values(scanned_at)].every((at) => at !== null);
}
