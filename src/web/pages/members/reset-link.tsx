import { client, useChange } from '../../api/client.js';
import { tokenLink } from '../../api/link-token.js';
import { useSession } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { Modal } from '../../components/dialog/dialog.js';
import { FormActions } from '../../components/field/field.js';
import { Failed } from '../../components/page/page.js';
import { Mailed, ShownOnce } from '../../components/secret/shown-once.js';
import { Time } from '../../components/tip/tip.js';
import type { Member } from './members.js';

/** A link by which a member sets a new password, mailed on demand, or shown once where the server sends no mail. */
export function ResetLink({ member, onClose }: { readonly member: Member | null; readonly onClose: () => void }) {
  const { sendsMail } = useSession();
  const create = useChange({ send: client.organisation.createPasswordReset.mutate });
  const close = () => {
    create.reset();
    onClose();
  };
  const { data } = create;
  return (
    <Modal
      open={member !== null}
      onClose={close}
      title={`A new password for ${member?.name ?? ''}`}
      deliberate={data !== undefined && data.token !== null}
    >
      {data === undefined ? (
        <>
          <p>
            {sendsMail
              ? `${member?.name} gets a link by mail. `
              : `You get a link to hand over, by a way that only ${member?.name} can read. `}
            Who opens it sets the password of {member?.email}. An older link stops working; the password does too, once
            a new one is set.
          </p>
          {create.error !== null && <Failed error={create.error} />}
          <FormActions>
            <Button onClick={close}>Cancel</Button>
            <Button
              look="primary"
              busy={create.isPending}
              onClick={() => member !== null && create.mutate({ member_id: member.id })}
            >
              {sendsMail ? 'Send the link' : 'Make the link'}
            </Button>
          </FormActions>
        </>
      ) : data.token === null ? (
        <Mailed to={member?.email ?? ''} onDone={close}>
          It is good for one use, within an hour. All sessions of {member?.name} end when it is used.
        </Mailed>
      ) : (
        <ShownOnce
          label="the link"
          text={tokenLink('/reset-password', data.token)}
          onDone={close}
          done="I have handed it over"
        >
          <p>
            It is good for one use
            {data.expires_at !== null && (
              <>
                , and ends <Time at={data.expires_at} />
              </>
            )}
            . All sessions of {member?.name} end when it is used.
          </p>
        </ShownOnce>
      )}
    </Modal>
  );
}
