import { Autocomplete } from '@base-ui/react/autocomplete';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
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
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const { groups, status } = useResults(typed.trim());
  useKeys({ '/': () => input.current?.focus() });
  const leave = () => {
    setTyped('');
    setIsOpen(false);
    input.current?.blur();
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const q = typed.trim();
          if (q === '') return;
          void navigate({ to: '/search', search: { q } });
          leave();
        }}
      >
        <Autocomplete.Root
          items={groups}
          filter={null}
          value={typed}
          onValueChange={(value, { reason }) => reason !== 'item-press' && setTyped(value)}
          open={isOpen && typed.trim().length >= minLetters}
          onOpenChange={setIsOpen}
          itemToStringValue={({ name }: Result) => name}
        >
          <Autocomplete.Input
            ref={input}
            type="search"
            className={styles.input}
            aria-label="Search: CVE, package, project"
            aria-keyshortcuts="/"
            placeholder="Search a CVE, package or project  ( / )"
            onKeyDown={(event) => event.key === 'Escape' && !isOpen && leave()}
          />
          <Autocomplete.Portal>
            <Autocomplete.Positioner sideOffset={6} align="start" className={styles.positioner}>
              <Autocomplete.Popup className={styles.popup}>
                <Autocomplete.Status className={styles.status}>{status}</Autocomplete.Status>
                <Autocomplete.List className={styles.list}>
                  {(group: ResultGroup) => (
                    <Autocomplete.Group key={group.label} items={group.items} className={styles.group}>
                      <Autocomplete.GroupLabel className={styles.label}>{group.label}</Autocomplete.GroupLabel>
                      <Autocomplete.Collection>
                        {(result: Result) => (
                          <Autocomplete.Item
                            key={result.key}
                            value={result}
                            className={styles.item}
                            onClick={() => {
                              void navigate(result.link);
                              leave();
                            }}
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
              </Autocomplete.Popup>
            </Autocomplete.Positioner>
          </Autocomplete.Portal>
        </Autocomplete.Root>
      </form>
    </search>
  );
}

/** The best few of each kind, while somebody types. What was found before stays until the next answer is there. */
function useResults(typed: string): { readonly groups: ResultGroup[]; readonly status: string | null } {
  const [q, setQ] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  const isAsked = q.length >= minLetters && typed.length >= minLetters;
  const { data, error } = useQuery({
    ...api.intelligence.search.queryOptions({ q: q.slice(0, 200) }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  if (!isAsked) return { groups: [], status: null };
  if (error !== null) return { groups: [], status: explain(error).detail };
  if (data === undefined) return { groups: [], status: 'Searching …' };
  const groups = [...resultGroups(data)];
  const status = groups.length === 0 ? `Nothing that is tracked or loaded has “${q}” in its name.` : null;
  return { groups, status };
}
