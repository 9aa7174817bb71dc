import type { InfiniteData } from '@tanstack/react-query';
import { api, queryClient, type RouterOutputs } from '../../api/client.js';

type AlertList = RouterOutputs['alerts']['list'];
export type AlertRow = AlertList['items'][number];

/** An alert of a project. */
export type AlertKey = Pick<AlertRow, 'id' | 'project_id'>;

/** Loaded lists of alerts, whatever their filters. Questions for a number alone have other keys. */
const loadedLists = {
  queryKey: api.alerts.list.pathKey(),
  predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey.at(-1) === 'pages',
};

/** Changes the loaded rows of these alerts, in lists and in an open detail, before the service has answered. */
export function changeRows(keys: readonly AlertKey[], change: <Row extends AlertRow>(row: Row) => Row): void {
  const ids = new Set(keys.map(({ id }) => id));
  queryClient.setQueriesData<InfiniteData<AlertList>>(loadedLists, (list) => {
    if (list === undefined) return list;
    const pages = list.pages.map((page) =>
      page.items.some(({ id }) => ids.has(id))
        ? { ...page, items: page.items.map((row) => (ids.has(row.id) ? change(row) : row)) }
        : page,
    );
    return { ...list, pages };
  });
  for (const { id, project_id } of keys) {
    queryClient.setQueryData(api.alerts.get.queryKey({ project_id, alert_id: id }), (alert) => alert && change(alert));
  }
}

/**
 * Pages of a list up to which it is asked for again after a change. Longer ones show what was changed here, and are
 * asked for again when they are opened.
 */
const fewPages = 3;

/** What is shown of alerts is asked for again. */
export async function refreshAlerts(): Promise<void> {
  const { list } = api.alerts;
  const isLong = (data: unknown) =>
    typeof data === 'object' &&
    data !== null &&
    'pages' in data &&
    Array.isArray(data.pages) &&
    data.pages.length > fewPages;
  await Promise.all([
    queryClient.invalidateQueries({ ...api.alerts.pathFilter(), predicate: ({ state }) => !isLong(state.data) }),
    queryClient.invalidateQueries({
      ...list.pathFilter(),
      predicate: ({ state }) => isLong(state.data),
      refetchType: 'none',
    }),
    queryClient.invalidateQueries(api.posture.pathFilter()),
  ]);
}
