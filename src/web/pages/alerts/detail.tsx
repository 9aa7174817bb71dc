import { getRouteApi } from '@tanstack/react-router';
import { AlertDetail } from './detail/alert-detail.js';

const ofAll = getRouteApi('/frame/alerts/$projectId/$alertId');
const ofProject = getRouteApi('/frame/projects/$projectId/alerts/$alertId');

/** An alert beside the list over all projects. */
export function AlertPage() {
  const { projectId, alertId } = ofAll.useParams();
  const navigate = ofAll.useNavigate();
  const close = () => navigate({ to: '/alerts', search: true, resetScroll: false });
  return <AlertDetail key={alertId} projectId={projectId} alertId={alertId} onClose={close} />;
}

/** An alert beside the list of its project. */
export function ProjectAlertPage() {
  const { projectId, alertId } = ofProject.useParams();
  const navigate = ofProject.useNavigate();
  const close = () =>
    navigate({ to: '/projects/$projectId/alerts', params: { projectId }, search: true, resetScroll: false });
  return <AlertDetail key={alertId} projectId={projectId} alertId={alertId} onClose={close} />;
}
