import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { explain } from '../../api/explain.js';
import { Button } from '../button/button.js';
import styles from './toast.module.css';

const manager = Toast.createToastManager();

interface Undo {
  readonly label: string;
  readonly onClick: () => void;
}

/** Short messages at the edge. They are read out, stay for a while, and never carry what is needed later. */
export const toast = {
  done(title: string, undo?: Undo): void {
    manager.add({ title, type: 'done', ...(undo && { actionProps: { children: undo.label, onClick: undo.onClick } }) });
  },
  /** Says what was not done, and that the page shows the state before again. */
  failed(title: string, error: unknown): void {
    manager.add({ title, description: explain(error).detail, type: 'failed', priority: 'high', timeout: 10_000 });
  },
};

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className={styles.toast}>
      <Toast.Content className={styles.content}>
        <div>
          <Toast.Title className={styles.title} />
          <Toast.Description className={styles.description} />
        </div>
        {each.actionProps !== undefined && <Toast.Action render={<Button size="small" />} />}
        <Toast.Close render={<Button look="quiet" size="small" aria-label="Dismiss" />}>
          <X aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
