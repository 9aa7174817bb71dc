import { useMutation } from '@tanstack/react-query';
import { api, client, queryClient } from '../../api/client.js';
import { toast } from '../../components/toast/toast.js';
import { type Webhook, webhookList } from './webhooks.js';

/** Switches a webhook on or off. The list shows it at once, and as it was before where the service refuses. */
export function useEnabling(projectId: string): (webhook: Webhook) => void {
  const { queryKey } = webhookList(projectId);
  const show = (webhookId: string, enabled: boolean) =>
    queryClient.setQueryData(queryKey, (data) => {
      if (data === undefined) return undefined;
      const change = (item: Webhook) => (item.id === webhookId ? { ...item, enabled } : item);
      return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(change) })) };
    });
  const { mutate } = useMutation({
    mutationFn: ({ id, enabled }: Webhook) =>
      client.webhooks.update.mutate({ project_id: projectId, webhook_id: id, enabled: !enabled }),
    onMutate: async ({ id, enabled }) => {
      await queryClient.cancelQueries({ queryKey });
      show(id, !enabled);
    },
    onError: (error, { id, name, enabled }) => {
      show(id, enabled);
      toast.failed(`${name} is still ${enabled ? 'on' : 'off'}`, error);
    },
    onSettled: () => queryClient.invalidateQueries(api.webhooks.list.pathFilter()),
  });
  return (webhook) => mutate(webhook);
}
