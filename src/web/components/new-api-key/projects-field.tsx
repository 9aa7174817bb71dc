import { useEffect, useState } from 'react';
import { api, client, useList } from '../../api/client.js';
import { CheckChoices, RadioChoices } from '../choices/choices.js';
import { TextField } from '../field/field.js';
import { counted } from '../format/format.js';
import { Empty, Failed, Skeleton } from '../page/page.js';
import styles from './projects-field.module.css';

const reaches = [
  { value: 'all', label: 'All projects', meaning: 'Those of today and those to come.' },
  {
    value: 'some',
    label: 'Some projects',
    meaning:
      'Others answer as if they did not exist. Members, invites and the organisation’s settings are closed to it.',
  },
];

export function ProjectsField() {
  const [reach, setReach] = useState('all');
  return (
    <>
      <RadioChoices name="reach" legend="Reach" choices={reaches} defaultValue="all" onChange={setReach} />
      {reach === 'some' && <SomeProjects />}
    </>
  );
}

/** All projects to choose from, narrowed by name. What is checked stays checked while the list is narrowed. */
function SomeProjects() {
  const { query, rows: projects } = useList(api.projects.list, client.projects.list, {});
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = query;
  const [text, setText] = useState('');
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  if (data === undefined) {
    return error === null ? <Skeleton rows={4} /> : <Failed error={error} onRetry={() => refetch()} />;
  }
  if (projects.length === 0) return <Empty title="There is no project yet." />;
  const wanted = text.trim().toLowerCase();
  const isHidden = (name: string) => !name.toLowerCase().includes(wanted);
  const shown = projects.filter(({ name }) => !isHidden(name)).length;
  return (
    <div className={styles.some}>
      {projects.length > 8 && (
        <TextField
          name="narrow"
          label="Narrow the list"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          hint={`${counted(shown, 'project')} of ${counted(projects.length, 'project')}${hasNextPage ? ', more are loading' : ''}`}
        />
      )}
      <CheckChoices
        name="project_ids"
        legend="Projects"
        dense
        hint="One to 100."
        choices={projects.map(({ id, name }) => ({ value: id, label: name, isHidden: isHidden(name) }))}
      />
    </div>
  );
}
