import { DetailPart } from '../../components/detail/detail.js';
import { counted } from '../../components/number/number.js';
import type { AppFinding } from './columns.js';
import styles from './running-app.module.css';

/** Where in the site it was found, and with what request. */
export function Instances({ finding: { instances, instance_count } }: { readonly finding: AppFinding }) {
  return (
    <DetailPart title={`Found in ${counted(instance_count, 'place')}`}>
      <ul className={styles.instances}>
        {instances.map(({ url, method, parameter, attack, evidence }) => (
          <li key={`${method} ${url} ${parameter} ${attack} ${evidence}`}>
            <code>
              {method} {url}
            </code>
            <dl>
              <Line name="Parameter" text={parameter ?? undefined} />
              <Line name="Attack" text={attack} />
              <Line name="Evidence" text={evidence} />
            </dl>
          </li>
        ))}
      </ul>
      {instance_count > instances.length && (
        <p>
          {counted(instance_count - instances.length, 'further place')}{' '}
          {instance_count - instances.length === 1 ? 'is' : 'are'} only counted.
        </p>
      )}
    </DetailPart>
  );
}

function Line({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{text}</code>
      </dd>
    </div>
  );
}
