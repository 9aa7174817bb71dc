import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button/button.js';
import { Failed } from '../../components/state/state.js';
import styles from './page.module.css';

interface ChooseOrganisationProps {
  readonly organisations: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly onChoose: (organisation: string) => Promise<void>;
  readonly onDone: () => void;
}

/** Somebody with accounts in several organisations says which one is meant. */
export function ChooseOrganisation({ organisations, onChoose, onDone }: ChooseOrganisationProps) {
  const choose = useMutation({ mutationFn: onChoose, onSuccess: onDone });
  return (
    <>
      <p>You are a member of several organisations. Which one do you want to work in?</p>
      {choose.error !== null && <Failed error={choose.error} />}
      <div className={styles.issuers}>
        {organisations.map(({ id, name }) => (
          <Button key={id} busy={choose.isPending && choose.variables === id} onClick={() => choose.mutate(id)}>
            {name}
          </Button>
        ))}
      </div>
    </>
  );
}
