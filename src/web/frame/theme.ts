import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'postern.theme';
const listeners = new Set<() => void>();

function stored(): Theme {
  const text = localStorage.getItem(key);
  return themes.find((theme) => theme === text) ?? 'system';
}

/** Shows the chosen theme; `system` follows the device. Called before the first page is drawn. */
export function applyTheme(): void {
  const theme = stored();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
  return [theme, choose];
}

function choose(theme: Theme): void {
  localStorage.setItem(key, theme);
  applyTheme();
  for (const listener of listeners) listener();
}
