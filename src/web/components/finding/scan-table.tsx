import type { ReactNode } from 'react';
import { jobStateWords } from '../../words.js';
import { Tag } from '../badge/badge.js';
import { Time } from '../tip/tip.js';
import styles from './scan-table.module.css';

export interface Scan {
  readonly id: string;
  readonly status: keyof typeof jobStateWords;
  readonly at: Date | null;
  readonly what: ReactNode;
  readonly tiers: { readonly red: number; readonly yellow: number; readonly green: number };
}

const looks = { queued: 'plain', running: 'warn', done: 'plain', failed: 'danger' } as const;

export function ScanTable({ label, scans }: { readonly label: string; readonly scans: readonly Scan[] }) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Scan</th>
          <th scope="col">By</th>
          <th scope="col">State</th>
          <th scope="col">Red</th>
          <th scope="col">Yellow</th>
          <th scope="col">Green</th>
        </tr>
      </thead>
      <tbody>
        {scans.map(({ id, status, at, what, tiers }) => (
          <tr key={id}>
            <td>{at === null ? 'not begun' : <Time at={at} />}</td>
            <td className={styles.what}>{what}</td>
            <td>
              <Tag look={looks[status]}>{jobStateWords[status]}</Tag>
            </td>
            {status === 'done' ? (
              <>
                <td data-tier="red">{tiers.red}</td>
                <td data-tier="yellow">{tiers.yellow}</td>
                <td data-tier="green">{tiers.green}</td>
              </>
            ) : (
              <td colSpan={3}>no result</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
