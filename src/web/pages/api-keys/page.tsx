import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api, client, useList } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { Admins } from '../../components/admins/admins.js';
import { Button } from '../../components/button/button.js';
import { DataList, type PagesQuery } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/dialog.js';
import { counted } from '../../components/format/format.js';
import { NewApiKey } from '../../components/new-api-key/new-api-key.js';
import { Empty, Page, Section } from '../../components/page/page.js';
import { type ApiKey, activeColumns, answerOf, pastColumns, stateOf } from './columns.js';
import styles from './page.module.css';

/** The panel of the specification's section 5.3: admins make keys here, and revoke them. */
export default function ApiKeysPage() {
  return useMay()('apiKeys.list') ? <ApiKeys /> : <NotAdmin />;
}

function ApiKeys() {
  const { query, rows: keys, first } = useList(api.apiKeys.list, client.apiKeys.list, {});
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const [isMaking, setMaking] = useState(false);
  // Newest first, and the active ones may stand on the last page: all are read.
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const now = new Date();
  const isActive = (key: ApiKey) => stateOf(key, now) === 'active';
  return (
    <Page
      title="API Keys"
      answer={
        first === undefined
          ? 'Agents and build pipelines call with a key.'
          : hasNextPage
            ? 'The keys are being read.'
            : answerOf(keys.filter(isActive), now)
      }
      actions={
        <Button look="primary" onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" /> New API key
        </Button>
      }
    >
      <ActiveKeys query={only(query, isActive)} />
      {first !== undefined && (
        <PastKeys query={only(query, (key) => !isActive(key))} count={keys.filter((key) => !isActive(key)).length} />
      )}
      <NewApiKey open={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

type KeysQuery = ReturnType<typeof only<ApiKey>>;

function ActiveKeys({ query }: { readonly query: KeysQuery }) {
  const [asked, setAsked] = useState<ApiKey | null>(null);
  const names = useProjectNames();
  return (
    <Section title="Active keys">
      <DataList
        label="Active API keys"
        query={query}
        columns={activeColumns(names, setAsked)}
        empty={
          <Empty title="No key is active.">
            <p>
              All keys of the organisation were looked at. Make one here, or while you{' '}
              <Link to="/settings/connect">connect an agent</Link>.
            </p>
          </Empty>
        }
      />
      <ConfirmAction
        target={asked}
        onClose={() => setAsked(null)}
        title={({ name }) => `Revoke ${name}?`}
        description={({ hint, last_used_at }) => (
          <>
            Whoever calls with <code>{hint}</code> gets 401 from the next call on. This cannot be undone.
            {last_used_at !== null && ' It was used: have its successor in place first.'}
          </>
        )}
        action="Revoke"
        send={({ id }: ApiKey) => client.apiKeys.revoke.mutate({ api_key_id: id })}
        done={(_, { name }) => `${name} was revoked`}
        stale={[api.apiKeys.pathFilter()]}
      />
    </Section>
  );
}

function PastKeys({ query, count }: { readonly query: KeysQuery; readonly count: number }) {
  const [isOpen, setOpen] = useState(false);
  const names = useProjectNames();
  const columns = pastColumns(names);
  if (count === 0) return null;
  return (
    <details className={styles.past} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{counted(count, 'key', 'keys')} revoked or expired</summary>
      {isOpen && <DataList label="Revoked and expired API keys" query={query} columns={columns} empty={null} />}
    </details>
  );
}

/** Names of the first 100 projects; a key of another one shows its id. */
function useProjectNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(api.projects.list.queryOptions({ page_size: 100 }));
  return new Map(data?.items.map(({ id, name }) => [id, name]));
}

/** What a member who is no admin learns here: who can make a key. */
function NotAdmin() {
  return (
    <Page title="API Keys" answer="Only an admin of your organisation can see, make and revoke API keys.">
      <Admins why="Ask one of them for a key. Say what will use it, and whether it has to write." />
    </Page>
  );
}

/** The same list with only the rows that pass, for one that was read as a whole. */
function only<Row>(query: PagesQuery<Row>, passes: (row: Row) => boolean): PagesQuery<Row> {
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const filtered = data?.pages.map((page) => ({ ...page, items: page.items.filter(passes) }));
  const total = filtered?.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
  return {
    data: filtered && { pages: filtered.map((page) => ({ ...page, total })) },
    ...{ error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch },
  };
}
