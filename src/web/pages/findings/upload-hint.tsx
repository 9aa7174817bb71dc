import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../api/may.js';
import { ourCommand } from '../../components/copy/our-command.js';

/** How a first report comes: the command, and the page that takes one. */
export function UploadHint({
  projectId,
  command,
  children,
}: {
  /** Undefined: all projects, so no page of one can be named. */
  readonly projectId: string | undefined;
  /** Of the package's programs, with `ID` in the place of the project's id. */
  readonly command: string;
  readonly children: ReactNode;
}) {
  const may = useMay(projectId);
  if (!may('sast.uploadReport')) return <p>{children}</p>;
  return (
    <p>
      {children} <code>{ourCommand(projectId === undefined ? command : command.replace('ID', projectId))}</code>{' '}
      {projectId !== undefined && (
        <Link to="/projects/$projectId/uploads" params={{ projectId }}>
          or upload one here
        </Link>
      )}
    </p>
  );
}
