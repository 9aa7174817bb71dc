import { useMutation } from '@tanstack/react-query';
import { api, client, oneOf, queryClient } from '../../../api/client.js';
import { useMay } from '../../../api/session.js';
import { toast } from '../../../components/toast/toast.js';
import styles from './images.module.css';

interface MonitoringSwitchProps {
  readonly image: { readonly id: string; readonly monitored: boolean };
  readonly projectId: string;
}

/** Whether new intelligence re-evaluates the image's findings. It turns at once, and turns back where that failed. */
export function MonitoringSwitch({ image: { id: imageId, monitored }, projectId }: MonitoringSwitchProps) {
  const may = useMay(projectId);
  const { queryKey } = imageQuery(projectId, imageId);
  const show = (value: boolean) =>
    queryClient.setQueryData(queryKey, (image) => image && { ...image, monitored: value });
  const update = useMutation(
    api.containers.updateImage.mutationOptions({
      // One after the other: the last one counts.
      scope: { id: `monitoring ${imageId}` },
      onMutate: async ({ monitored: next }) => {
        await queryClient.cancelQueries({ queryKey });
        show(next);
      },
      onError: (error, { monitored: next }) => {
        show(!next);
        toast.failed(`Monitoring stays ${next ? 'off' : 'on'}`, error);
      },
      // Not waited for: the next turn of the switch need not wait for other parts of the page.
      onSettled: () => {
        queryClient.invalidateQueries(api.containers.pathFilter());
      },
    }),
  );
  const words = monitored
    ? 'On: new intelligence re-evaluates its findings'
    : 'Off: its findings stay as its last scan said';
  if (!may('containers.updateImage')) return words;
  const turn = () => update.mutate({ project_id: projectId, image_id: imageId, monitored: !monitored });
  return (
    <button
      type="button"
      role="switch"
      aria-checked={monitored}
      aria-label="Monitoring"
      className={styles.switch}
      onClick={turn}
    >
      <span aria-hidden="true">
        <span />
      </span>
      <span>{words}</span>
    </button>
  );
}

/** One image of a project; null where it has no such image. */
export function imageQuery(projectId: string, imageId: string) {
  return oneOf(api.containers.listImages, client.containers.listImages, { project_id: projectId }, imageId);
}
