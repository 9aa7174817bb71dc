import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import styles from './search-box.module.css';

/** One box for everything: a CVE, a package, a project. `/` goes there from anywhere. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [role="dialog"]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || typing) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const q = input.current?.value.trim() ?? '';
          if (q !== '') navigate({ to: '/search', search: { q } });
        }}
      >
        <input
          ref={input}
          type="search"
          className={styles.input}
          aria-label="Search: CVE, package, project"
          placeholder="Search a CVE, package or project  ( / )"
        />
      </form>
    </search>
  );
}
