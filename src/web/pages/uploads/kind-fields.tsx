import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { SelectField, TextField } from '../../components/field/field.js';
import { scanModeWords } from '../../words.js';
import { type Kind, kinds } from './kinds.js';

const route = getRouteApi('/frame/projects/$projectId/uploads');

/** The fields that a kind of file asks for. */
export function KindFields({ kind }: { readonly kind: Kind }) {
  const { projectId } = route.useParams();
  const project = useQuery(api.projects.get.queryOptions({ project_id: projectId }));
  // The project's repository, which may be known later, until another one is typed.
  const [typedRepo, setTypedRepo] = useState<string | null>(null);
  const { plan } = useSession().organisation;
  const { path, asks } = kinds[kind];
  if (plan === 'Free' && (path === 'reachability.uploadUsageReport' || path === 'vex.upload')) {
    return <p>Verdicts need a Business or Enterprise subscription: on the Free plan it will be refused.</p>;
  }
  switch (asks) {
    case 'source_repo':
      return (
        <TextField
          name="source_repo"
          label="Repository"
          value={typedRepo ?? project.data?.repo ?? ''}
          onValueChange={setTypedRepo}
          placeholder="https://github.com/acme/shop"
          hint="Findings of this repository that the report no longer has are fixed."
          required
          maxLength={2048}
        />
      );
    case 'mode':
      return (
        <SelectField name="mode" label="Kind of scan" defaultValue="baseline">
          {Object.entries(scanModeWords).map(([mode, word]) => (
            <option key={mode} value={mode}>
              {word}
            </option>
          ))}
        </SelectField>
      );
    case 'image':
      return <TextField name="image" label="Image" hint="Only where the report names none." maxLength={1024} />;
    case 'source':
      return (
        <TextField
          name="source"
          label="Source"
          hint="Optional. The same source again replaces its packages; by default it is the document’s own name."
          maxLength={200}
        />
      );
    case 'product':
      return (
        <TextField
          name="product"
          label="Product"
          hint="Optional: the name by which the document calls this project."
          maxLength={1024}
        />
      );
    case null:
      return null;
  }
}
