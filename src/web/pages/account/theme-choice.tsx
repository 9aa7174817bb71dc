import { themes, useTheme } from '../../frame/theme.js';
import styles from './page.module.css';

const words = { system: 'As the device', light: 'Light', dark: 'Dark' } as const;

/** Takes effect at once, in this browser. */
export function ThemeChoice() {
  const [theme, setTheme] = useTheme();
  return (
    <fieldset className={styles.themes}>
      <legend className="visually-hidden">Theme</legend>
      {themes.map((each) => (
        <label key={each}>
          <input type="radio" name="theme" checked={theme === each} onChange={() => setTheme(each)} />
          {words[each]}
        </label>
      ))}
    </fieldset>
  );
}
