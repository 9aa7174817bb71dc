import { getRouteApi, Link } from '@tanstack/react-router';
import { Modal } from '../../components/dialog/dialog.js';
import { exact } from '../../components/format/format.js';
import { Fact, Facts, Skeleton } from '../../components/page/page.js';
import { wordsOf } from './action-words.js';
import { Actor, changesOf, type Entry, targetOf } from './columns.js';
import styles from './page.module.css';

const route = getRouteApi('/frame/settings/audit-log');

interface EntryDialogProps {
  readonly id: string | undefined;
  /** Undefined while they are loading. */
  readonly entries: readonly Entry[] | undefined;
}

/** All that is known of one entry. Its id stands in the address, so that it can be sent to somebody. */
export function EntryDialog({ id, entries }: EntryDialogProps) {
  const navigate = route.useNavigate();
  const close = () => void navigate({ search: (before) => ({ ...before, entry: undefined }), resetScroll: false });
  const entry = entries?.find((each) => each.id === id);
  const title = entry === undefined ? 'An entry' : `${entry.actor.name} ${wordsOf(entry.action)}`;
  return (
    <Modal open={id !== undefined} onClose={close} title={title}>
      {entries === undefined ? (
        <Skeleton rows={6} />
      ) : entry === undefined ? (
        <p>This entry is not among the {entries.length} that are loaded. Filter by its day, or scroll on.</p>
      ) : (
        <Details entry={entry} />
      )}
    </Modal>
  );
}

function Details({ entry }: { readonly entry: Entry }) {
  const { at, actor, action, target, project, vulnerability_id, package: purl } = entry;
  const { issuer, session_id, ip, device, request_id } = entry;
  const changes = changesOf(entry);
  return (
    <>
      {changes.length > 0 && <Difference entry={entry} />}
      <Facts>
        <Fact name="When">{exact(at)}</Fact>
        <Fact name="Who">
          <Actor actor={actor} /> <code>{actor.id}</code>{' '}
          <Link to="/settings/audit-log" search={{ actor: actor.id }}>
            all by this one
          </Link>
        </Fact>
        <Fact name="Action">
          <code>{action}</code>
        </Fact>
        <Fact name="To what">
          {targetOf(entry).replace(target.id, '')} <code>{target.id}</code>
        </Fact>
        {project !== null && (
          <Fact name="Project">
            <Link to="/projects/$projectId" params={{ projectId: project.id }}>
              {project.name ?? project.id}
            </Link>
          </Fact>
        )}
        {vulnerability_id !== null && <Fact name="Vulnerability">{vulnerability_id}</Fact>}
        {purl !== null && (
          <Fact name="Package">
            <code>{purl}</code>
          </Fact>
        )}
        {issuer !== null && <Fact name="Vouched for by">{issuer}</Fact>}
        {session_id !== null && (
          <Fact name="Session">
            <code>{session_id}</code>
          </Fact>
        )}
        <Fact name="From address">{ip === null ? 'not over the network, or not known' : <code>{ip}</code>}</Fact>
        {device !== null && <Fact name="Device">{device}</Fact>}
        <Fact name="Request">{request_id === null ? 'none' : <code>{request_id}</code>}</Fact>
      </Facts>
    </>
  );
}

function Difference({ entry }: { readonly entry: Entry }) {
  return (
    <table className={styles.difference}>
      <caption className="visually-hidden">What changed</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          {entry.before !== null && <th scope="col">Before</th>}
          {entry.after !== null && <th scope="col">After</th>}
        </tr>
      </thead>
      <tbody>
        {changesOf(entry).map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            {entry.before !== null && <td>{before === null ? '' : <del>{before}</del>}</td>}
            {entry.after !== null && <td>{after === null ? '' : <ins>{after}</ins>}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
