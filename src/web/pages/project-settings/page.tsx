import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { groupName } from '../../components/groups/groups.js';
import { Card, Fact, Facts, Page, Section } from '../../components/page/page.js';
import { Loaded, Skeleton } from '../../components/state/state.js';
import { exact } from '../../components/time/format.js';
import { exposureMeanings, exposureWords } from '../../words.js';
import { DeleteProject } from './delete-project.js';
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

export function ProjectSettingsPage() {
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
