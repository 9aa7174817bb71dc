import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, client, queryClient, type RouterOutputs } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { ConfirmAction } from '../../components/dialog/dialog.js';
import { TextField } from '../../components/field/field.js';
import { exact } from '../../components/format/format.js';
import { groupName } from '../../components/groups/groups.js';
import { Card, Fact, Facts, Loaded, Page, Section, Skeleton } from '../../components/page/page.js';
import { exposureMeanings, exposureWords } from '../../words.js';
import styles from './page.module.css';
import { ProjectForm } from './project-form.js';

const route = getRouteApi('/frame/projects/$projectId/settings');

function groupText({ group }: RouterOutputs['projects']['get']): string {
  return group === null ? '' : ` In the group ${groupName(group)}.`;
}

function ProjectFacts({ project: { name, description, exposure, repo } }: ProjectFactsProps) {
  return (
    <Facts>
      <Fact name="Name">{name}</Fact>
      <Fact name="Description">{description ?? 'none is given'}</Fact>
      <Fact name="Exposure">{exposureWords[exposure]}</Fact>
      <Fact name="Repository">{repo ?? 'none is given'}</Fact>
    </Facts>
  );
}

interface ProjectFactsProps {
  readonly project: RouterOutputs['projects']['get'];
}

export default function ProjectSettingsPage() {
  const { projectId } = route.useParams();
  const query = useQuery(api.projects.get.queryOptions({ project_id: projectId }));
  const may = useMay(projectId);
  const answer =
    query.data &&
    `${exposureMeanings[query.data.exposure]}${groupText(query.data)} Created ${exact(query.data.created_at)}, last changed ${exact(query.data.updated_at)}.`;
  return (
    <Page title="Settings" answer={answer ?? 'Loading the project …'}>
      <Loaded query={query} skeleton={<Skeleton rows={8} height={56} />}>
        {(project) => (
          <div className={styles.column}>
            <Section title="About the project">
              <Card>
                {may('projects.update') ? (
                  <ProjectForm key={project.id} project={project} />
                ) : (
                  <ProjectFacts project={project} />
                )}
              </Card>
            </Section>
            {may('projects.delete') && (
              <Section title="Delete">
                <Card>
                  <DeleteProject project={project} />
                </Card>
              </Section>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** Deletes the project after its name was typed. */
function DeleteProject({
  project: { id, name },
}: {
  readonly project: { readonly id: string; readonly name: string };
}) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  return (
    <div className={styles.delete}>
      <p>
        The project goes with its packages, alerts, verdicts, overrides, findings, webhooks and history. This cannot be
        undone.
      </p>
      <Button onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" /> Delete project
      </Button>
      <ConfirmAction
        target={isOpen ? { project_id: id } : null}
        onClose={close}
        title={() => `Delete ${name}?`}
        description={() => (
          <div className={styles.ask}>
            <p>All that is known of it is deleted for good, for everybody.</p>
            <TextField
              name="name"
              label={`Type ${name} to confirm`}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        action="Delete project"
        ready={typed.trim() === name}
        send={client.projects.delete.mutate}
        done={() => `${name} was deleted`}
        onDone={async () => {
          // First away from its pages: they would ask for what is no longer there.
          await navigate({ to: '/projects' });
          queryClient.removeQueries(api.projects.get.queryFilter({ project_id: id }));
        }}
        stale={[{}]}
      />
    </div>
  );
}
