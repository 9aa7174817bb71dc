import { useState } from 'react';
import { api, client, type RouterInputs, type RouterOutputs, useChange } from '../../api/client.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { FormDialog } from '../../components/dialog/dialog.js';
import { SelectField, TextAreaField, TextField, textOf } from '../../components/field/field.js';
import { namesOf } from '../../components/field/options.js';
import { Refusal } from '../../components/public-page/public-page.js';

interface IssuerDialogProps {
  readonly edited: Issuer | 'new' | null;
  /** This server's own issuer, where it is not bound yet. */
  readonly suggested: string | undefined;
  readonly own: readonly string[];
  readonly onClose: () => void;
}

/** Binds an issuer, or changes what its people get. */
export function IssuerDialog({ edited, suggested, own, onClose }: IssuerDialogProps) {
  const before = edited === 'new' ? null : edited;
  const save = useChange({
    send: (values: FormData) => saveIssuer(before, values),
    done: ({ issuer }) => `${issuer} was saved`,
    onDone: onClose,
    stale: [api.signIn.pathFilter()],
  });
  const [wrong, setWrong] = useState<string | null>(null);
  const send = (values: FormData) => {
    const { wrong: line } = groupRolesOf(textOf(values, 'group_roles'));
    setWrong(line);
    if (line === null) save.mutate(values);
  };
  return (
    <FormDialog
      open={edited !== null}
      onClose={onClose}
      title={before === null ? 'Add an issuer' : before.issuer}
      onSend={send}
      change={save}
      action="Save"
    >
      {wrong !== null && (
        <Refusal title="A line of the groups is not understood">
          “{wrong}” is no group = role. The roles are {roles.join(', ')}.
        </Refusal>
      )}
      {before === null && (
        <TextField
          name="issuer"
          label="Issuer"
          hint="Its address, as it stands in the tokens."
          type="url"
          required
          maxLength={300}
          defaultValue={suggested ?? ''}
        />
      )}
      {before?.client_id !== null && <ClientFields before={before} own={own} />}
      <MembershipFields before={before} />
    </FormDialog>
  );
}

/** A new issuer, or another policy of one. */
function saveIssuer(before: Issuer | null, values: FormData) {
  const policy = {
    default_role: roleOf(textOf(values, 'default_role')),
    joins: textOf(values, 'joins') === 'yes',
    groups_claim: textOf(values, 'groups_claim').trim() || null,
    group_roles: groupRolesOf(textOf(values, 'group_roles')).roles,
  };
  const clientId = textOf(values, 'client_id').trim();
  const secret = textOf(values, 'client_secret');
  const given = {
    ...policy,
    ...(clientId !== '' && { client_id: clientId }),
    ...(secret !== '' && { client_secret: secret }),
  };
  if (before === null) return client.signIn.addIssuer.mutate({ issuer: textOf(values, 'issuer').trim(), ...given });
  return client.signIn.updateIssuer.mutate({ ...given, issuer_id: before.id, expected_revision: before.revision });
}

interface FieldsProps {
  readonly before: Issuer | null;
}

function ClientFields({ before, own }: FieldsProps & Pick<IssuerDialogProps, 'own'>) {
  return (
    <>
      <TextField
        name="client_id"
        label="Client id"
        hint={own.length > 0 ? `Leave it and the secret empty for this server’s own: ${own.join(', ')}.` : undefined}
        maxLength={300}
        autoComplete="off"
        defaultValue={before?.client_id ?? ''}
      />
      <TextField
        name="client_secret"
        label="Client secret"
        hint={before === null ? undefined : 'Leave it empty to keep the one that is there.'}
        type="password"
        autoComplete="off"
        maxLength={1_000}
      />
      <p>Register the client at the issuer with this address to come back to:</p>
      <CopyText text={`${window.location.origin}/sign-in/callback`} label="the address to come back to" />
    </>
  );
}

/** What people of the issuer become here. */
function MembershipFields({ before }: FieldsProps) {
  return (
    <>
      <SelectField name="joins" label="Who becomes a member" defaultValue={before?.joins === true ? 'yes' : 'no'}>
        <option value="no">Only who is invited</option>
        <option value="yes">Whoever has a verified address of our domains</option>
      </SelectField>
      <SelectField
        name="default_role"
        label="As"
        defaultValue={before?.default_role ?? 'viewer'}
        options={namesOf(givenRoles)}
      />
      <TextField
        name="groups_claim"
        label="Claim with groups (optional)"
        hint="Such as groups. With it, roles follow the groups below at each sign-in."
        maxLength={200}
        autoComplete="off"
        defaultValue={before?.groups_claim ?? ''}
      />
      <TextAreaField
        name="group_roles"
        label="Roles of groups"
        hint="One a line: group = role. Of several the one that may most; without one, the role above."
        defaultValue={groupText(before?.group_roles ?? [])}
      />
    </>
  );
}

export type Issuer = RouterOutputs['signIn']['listIssuers']['items'][number];

type GivenRole = NonNullable<RouterInputs['signIn']['addIssuer']['default_role']>;
type GroupRole = NonNullable<RouterInputs['signIn']['addIssuer']['group_roles']>[number];

/** The roles that somebody may get by signing in alone. */
const givenRoles = ['viewer', 'triager', 'member', 'none'] as const satisfies readonly GivenRole[];

const roles = ['admin', ...givenRoles] as const satisfies readonly GroupRole['role'][];

function roleOf(text: string): GivenRole {
  return givenRoles.find((role) => role === text) ?? 'viewer';
}

/** Lines `group = role`; `wrong` is the first that is none. */
function groupRolesOf(text: string): { readonly roles: GroupRole[]; readonly wrong: string | null } {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line) => {
    const [, group = '', named = ''] = /^(.*)=([^=]*)$/.exec(line) ?? [];
    const role = roles.find((each) => each === named.trim().toLowerCase());
    return role === undefined || group.trim() === '' ? null : { group: group.trim(), role };
  });
  return { roles: read.filter((each) => each !== null), wrong: lines[read.indexOf(null)] ?? null };
}

function groupText(groupRoles: readonly GroupRole[]): string {
  return groupRoles.map(({ group, role }) => `${group} = ${role}`).join('\n');
}
