// What another team writes, with nothing but the client.
import {
  type AlertsListOutput,
  createPosternClient,
  type DocumentInput,
  documentUrl,
  type ErrorCode,
  type FieldCode,
  isPosternError,
  nextCursor,
  type RouterInputs,
  type RouterOutputs,
  renewSession,
  signIn,
  signOut,
  uploadReport,
} from '@posternhq/postern/client';
import { loggerLink } from '@trpc/client';

let token: string | undefined;

export const client = createPosternClient({
  url: 'https://posture.example.com',
  credential: () => token,
  headers: async () => ({ 'x-team': 'web' }),
  links: [loggerLink()],
  retry: 1,
  streaming: false,
  onUnauthenticated: (error) => {
    token = undefined;
    void error.data.requestId;
  },
});
export const ofThePage = createPosternClient();
export const withoutCredential = createPosternClient({ credential: undefined });

type Alert = RouterOutputs['alerts']['list']['items'][number];
const filter: RouterInputs['alerts']['list'] = { project_id: 'p', tier: 'RED', cursor: 'c' };

/** Its type can be named: a library of shared queries has declarations too. */
export const alerts = (project_id: string) => client.alerts.list.query({ project_id });

export async function run(file: Blob): Promise<Date | undefined> {
  const { expires_at } = await signIn({ email: 'ada@example.com', password: 'p' });
  const renewed: Date | undefined = (await renewSession())?.expires_at;
  const { ended } = await signOut();
  const page: AlertsListOutput = await client.alerts.list.query(filter, { signal: new AbortController().signal });
  const next: string | undefined = nextCursor(page);
  await client.organisation.getAuditLog.query({ since: expires_at });
  await client.organisation.getAuditLog.query({ since: '2026-11-22' });
  const ids = { project_id: 'p', verdict_id: 'v' };
  await client.reachability.overrideVerdict.mutate({ ...ids, verdict: 'Exploitable', reason: 'r', expires_at });
  const { answer, job } = await uploadReport('sast.uploadReport', { project_id: 'p', source_repo: 'r' }, file);
  const received: Date | undefined = job?.received_at;
  const document: DocumentInput<'intelligence.exportOpenVex'> = { project_id: 'p' };
  const address: string = documentUrl('intelligence.exportOpenVex', document);
  const first: Alert | undefined = page.items[0];
  const asRecord: Readonly<Record<string, unknown>> = page;
  void [renewed, ended, next, answer?.receipt.taken, received, address, asRecord, first?.versions];
  return first?.first_seen_at;
}

export async function failures(): Promise<readonly string[]> {
  try {
    await client.session.get.query();
    return [];
  } catch (error) {
    if (!isPosternError(error)) throw error;
    const { failure, fields, retryAfterSeconds } = error.data;
    const code: ErrorCode = failure;
    if (failure === 'rate_limited') return [`${new Date(retryAfterSeconds ?? 0)}`];
    const inOwnWords: Partial<Record<FieldCode, string>> = { required: 'wird gebraucht', name_taken: 'ist vergeben' };
    return [code, ...fields.map(({ field, message, code }) => `${field}: ${inOwnWords[code] ?? message}`)];
  }
}

// What is wrong is said before it runs.
export const wrong = [
  // @ts-expect-error there is no such tier
  () => client.alerts.list.query({ tier: 'PINK' }),
  // @ts-expect-error the field is spelt otherwise
  () => client.alerts.list.query({ projectId: 'p' }),
  // @ts-expect-error the alert is required
  () => client.alerts.get.query({ project_id: 'p' }),
  // @ts-expect-error a write is no query
  () => client.projects.create.query({ name: 'shop' }),
  // @ts-expect-error there is no such procedure
  () => client.alerts.lst.query(),
  // @ts-expect-error a timestamp is a Date
  async (): Promise<string> => (await client.organisation.get.query()).created_at,
];
