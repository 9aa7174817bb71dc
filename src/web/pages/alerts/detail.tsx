import { useNavigate, useParams } from '@tanstack/react-router';
import { useProjectId } from '../../api/project-id.js';
import { listOf } from '../../components/posture/links.js';
import { AlertDetail } from './detail/alert-detail.js';

/** An alert beside the list over all projects, or of its project. */
export function AlertPage() {
  const { projectId = '', alertId = '' } = useParams({ strict: false });
  const list = listOf('dependencies', { projectId: useProjectId() });
  const navigate = useNavigate();
  const close = () => navigate({ ...list, search: true, resetScroll: false });
  return <AlertDetail key={alertId} projectId={projectId} alertId={alertId} onClose={close} />;
}
