import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useProjectId } from '../../api/project-id.js';
import { listOf } from '../../components/posture/links.js';
import { Split } from '../../components/split/split.js';
import { AlertList } from './alert-list.js';

/** Alerts of all projects or of one, and the open one. */
export function AlertsPage() {
  const projectId = useProjectId();
  const filters = useSearch({ from: projectId === undefined ? '/frame/alerts' : '/frame/projects/$projectId/alerts' });
  const navigate = useNavigate();
  const { alertId } = useParams({ strict: false });
  return (
    <Split
      isOpen={alertId !== undefined}
      detail={<Outlet />}
      list={
        <AlertList
          projectId={projectId}
          filters={filters}
          onFilters={(search) => navigate({ ...listOf('dependencies', { projectId }), search, resetScroll: false })}
          current={alertId}
        />
      }
    />
  );
}
