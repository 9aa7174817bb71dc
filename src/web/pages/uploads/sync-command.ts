import { ourCommand } from '../../components/copy/our-command.js';

/** Lock files are read where they are, by the command-line tool. */
export function syncCommand(projectId: string): string {
  return ourCommand(`reach sync . --project ${projectId}`);
}
