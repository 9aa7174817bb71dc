import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/session.js';
import { Button } from '../button/button.js';
import { Modal } from '../dialog/dialog.js';
import { Skeleton } from '../page/page.js';

// Forms are loaded with the first one that is opened.
const NewProjectForm = lazy(() => import('./project-fields.js'));

/** A button that asks what the project is, makes it, and leads to it. */
export function NewProject() {
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  if (!may('projects.create')) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" /> New project
      </Button>
      <Modal
        open={isOpen}
        onClose={close}
        title="New project"
        description="One application or service: what is deployed together."
      >
        <Suspense fallback={<Skeleton rows={8} height={56} />}>
          <NewProjectForm onClose={close} />
        </Suspense>
      </Modal>
    </>
  );
}
