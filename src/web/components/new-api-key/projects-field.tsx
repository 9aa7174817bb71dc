import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { CheckChoices, RadioChoices } from '../choices/choices.js';
import { TextField } from '../field/field.js';
import { counted } from '../number/number.js';
import { Empty, Failed, Skeleton } from '../state/state.js';
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

/** Which projects the key reaches. */
export function ProjectsField() {
  const [reach, setReach] = useState('all');
  return (
    <>
      <RadioChoices name="reach" legend="Reach" choices={reaches} defaultValue="all" onChange={setReach} />
      {reach === 'some' && <SomeProjects />}
    </>
  );
}

const list = pages(api.projects.list, client.projects.list, {});

/** All projects to choose from, narrowed by name. What is checked stays checked while the list is narrowed. */
function SomeProjects() {
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(list);
  const [text, setText] = useState('');
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const projects = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
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
