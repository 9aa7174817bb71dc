import { Modal } from '../../components/dialog/dialog.js';
import styles from './list.module.css';

const keys = [
  ['j', 'or arrow down: the next alert'],
  ['k', 'or arrow up: the alert before'],
  ['Enter', 'open it'],
  ['Escape', 'close it'],
  ['x', 'select it'],
  ['a', 'acknowledge the selected alerts, or else this one; an acknowledged one is taken back'],
  ['/', 'search everything'],
  ['?', 'show these keys'],
] as const;

export function KeysDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title="Keys">
      <dl className={styles.keys}>
        {keys.map(([key, what]) => (
          <div key={key} className={styles.key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
