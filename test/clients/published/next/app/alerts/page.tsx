import { isPosternError } from '@posternhq/postern/client';
import { notFound } from 'next/navigation';
import { postern } from '../../postern';
import { Acknowledge } from './acknowledge';

export const dynamic = 'force-dynamic';

interface Props {
  readonly searchParams: Promise<{ readonly project?: string }>;
}

/** A component of the server: the page has its HTML, and no client of Postern. */
export default async function Alerts({ searchParams }: Props) {
  const { project = 'shop' } = await searchParams;
  const page = await postern.alerts.list.query({ project_id: project }).catch((error: unknown) => {
    if (isPosternError(error) && error.data.failure === 'not_found') return notFound();
    throw error;
  });
  return (
    <ul>
      {page.items.map(({ id, title, first_seen_at }) => (
        <li key={id}>
          {title} since {first_seen_at.toISOString()} <Acknowledge project={project} alert={id} />
        </li>
      ))}
    </ul>
  );
}
