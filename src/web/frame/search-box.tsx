import { Autocomplete } from '@base-ui/react/autocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { api } from '../api/client.js';
import { explain } from '../api/explain.js';
import { useKeys } from '../components/keys/use-keys.js';
import styles from './search-box.module.css';
import { type Result, type ResultGroup, resultGroups } from './search-groups.js';

/** Fewer letters are not searched for. */
const minLetters = 2;

/** Milliseconds without a key, after which what was typed is searched for. */
const pause = 150;

/** One box for everything that has a name. `/` goes there from anywhere, arrows and Enter to a result, Escape away. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const isMarked = useRef(false);
  const listId = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const { groups, status } = useResults(typed.trim());
  useKeys({ '/': () => input.current?.focus() });
  const shows = isOpen && typed.trim().length >= minLetters;
  const leave = () => {
    setTyped('');
    setIsOpen(false);
    input.current?.blur();
  };
  const showAll = () => {
    const q = typed.trim();
    if (q === '') return;
    void navigate({ to: '/search', search: { q } });
    leave();
  };
  return (
    <search className={styles.box}>
      {/* The list takes Enter for the result that is marked; the field has it otherwise. */}
      <form onSubmit={(event) => event.preventDefault()}>
        {/* Not in a portal: what hides the page behind an open list would hide it from readers too. */}
        <Autocomplete.Root
          inline
          items={groups}
          filter={null}
          value={typed}
          onValueChange={(value, { reason }) => {
            if (reason !== 'input-change' && reason !== 'input-clear') return;
            setTyped(value);
            setIsOpen(true);
          }}
          open={shows}
          onItemHighlighted={(result) => {
            isMarked.current = result !== undefined;
          }}
          itemToStringValue={({ name }: Result) => name}
        >
          <Autocomplete.Input
            ref={input}
            type="search"
            className={styles.input}
            aria-label="Search: CVE, package, project"
            aria-keyshortcuts="/"
            aria-expanded={shows}
            aria-controls={shows ? listId : undefined}
            placeholder="Search a CVE, package or project  ( / )"
            onFocus={() => setIsOpen(true)}
            onBlur={() => setIsOpen(false)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !isMarked.current) showAll();
              if (event.key !== 'Escape') return;
              event.preventDefault();
              if (shows) setIsOpen(false);
              else leave();
            }}
          />
          {shows && (
            <Found
              id={listId}
              status={status}
              onChoose={({ link }) => {
                void navigate(link);
                leave();
              }}
            />
          )}
        </Autocomplete.Root>
      </form>
    </search>
  );
}

interface FoundProps {
  readonly id: string;
  readonly status: string | null;
  readonly onChoose: (result: Result) => void;
}

function Found({ id, status, onChoose }: FoundProps) {
  return (
    <div className={styles.popup}>
      <Autocomplete.Status className={styles.status}>{status}</Autocomplete.Status>
      {/* The focus stays in the field while the pointer chooses. */}
      <Autocomplete.List id={id} aria-label="Found" onMouseDown={(event) => event.preventDefault()}>
        {(group: ResultGroup) => (
          <Autocomplete.Group key={group.label} items={group.items} className={styles.group}>
            <Autocomplete.GroupLabel className={styles.label}>{group.label}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(result: Result) => (
                <Autocomplete.Item
                  key={result.key}
                  value={result}
                  className={styles.item}
                  onClick={() => onChoose(result)}
                >
                  <strong>{result.name}</strong>
                  <span>{result.about}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <p className={styles.hint}>Enter shows everything that was found.</p>
    </div>
  );
}

/**
 * The best few of each kind, while somebody types. Until the next answer is there, the one before stays, if it was for a
 * part of the same words.
 */
function useResults(typed: string): { readonly groups: ResultGroup[]; readonly status: string | null } {
  const [{ q, goesOn }, setAsked] = useState({ q: typed, goesOn: false });
  useEffect(() => {
    const ask = () =>
      setAsked(({ q: before }) => ({ q: typed, goesOn: before.length >= minLetters && typed.startsWith(before) }));
    const timer = setTimeout(ask, pause);
    return () => clearTimeout(timer);
  }, [typed]);
  const isAsked = q.length >= minLetters && typed.length >= minLetters;
  const { data, error } = useQuery({
    ...api.intelligence.search.queryOptions({ q: q.slice(0, 200) }),
    enabled: isAsked,
    ...(goesOn && { placeholderData: keepPreviousData }),
  });
  if (!isAsked) return { groups: [], status: null };
  if (error !== null) {
    const { title, detail } = explain(error);
    return { groups: [], status: `${title}. ${detail}` };
  }
  if (data === undefined) return { groups: [], status: 'Searching …' };
  const groups = [...resultGroups(data)];
  const status = groups.length === 0 ? `Nothing that is tracked or loaded has “${q}” in its name.` : null;
  return { groups, status };
}
