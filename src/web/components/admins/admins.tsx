import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { Loaded, Section, Skeleton } from '../page/page.js';
import styles from './admins.module.css';

export function Admins({ why }: { readonly why: string }) {
  const may = useMay()('organisation.listMembers');
  const query = useQuery({ ...api.organisation.listMembers.queryOptions({ page_size: 100 }), enabled: may });
  if (!may) return null;
  return (
    <Section title="Admins">
      <p className={styles.why}>{why}</p>
      <Loaded query={query} skeleton={<Skeleton rows={2} />}>
        {({ items, total }) => (
          <>
            <ul className={styles.list}>
              {items
                .filter(({ role }) => role === 'admin')
                .map(({ id, name, email }) => (
                  <li key={id}>
                    {name} <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
                  </li>
                ))}
            </ul>
            {total > items.length && (
              <p className={styles.why}>
                Among the first {items.length} of {total} members.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
