import { getRouteApi, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Split } from '../../components/split/split.js';
import { AlertList } from './alert-list.js';

const all = getRouteApi('/frame/alerts');
const ofProject = getRouteApi('/frame/projects/$projectId/alerts');

/** All projects' alerts, and the open one. */
export function AlertsPage() {
  const filters = all.useSearch();
  const navigate = useNavigate();
  const { alertId } = useParams({ strict: false });
  return (
    <Split
      isOpen={alertId !== undefined}
      detail={<Outlet />}
      list={
        <AlertList
          projectId={undefined}
          filters={filters}
          onFilters={(search) => navigate({ to: '/alerts', search, resetScroll: false })}
          current={alertId}
        />
      }
    />
  );
}

/** The same of one project. */
export function ProjectAlertsPage() {
  const filters = ofProject.useSearch();
  const navigate = useNavigate();
  const { projectId } = ofProject.useParams();
  const { alertId } = useParams({ strict: false });
  return (
    <Split
      isOpen={alertId !== undefined}
      detail={<Outlet />}
      list={
        <AlertList
          projectId={projectId}
          filters={filters}
          onFilters={(search) =>
            navigate({ to: '/projects/$projectId/alerts', params: { projectId }, search, resetScroll: false })
          }
          current={alertId}
        />
      }
    />
  );
}
