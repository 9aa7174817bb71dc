import type { PlacedString } from './file-strings.js';

/** A search for icons of the sets that are installed: the package of each, by the set's prefix. */
interface IconSearch {
  readonly pattern: RegExp;
  readonly packages: ReadonlyMap<string, string>;
}

/** All sets in one package. */
const everySet = '@iconify/json';

/**
 * Finds the packages of icons that a text names, as UnoCSS, unplugin-icons and Iconify's components write them: `i-mdi-home`,
 * `i-mdi:home`, `~icons/mdi/home`, `"mdi:home"` (https://iconify.design/docs/icons/json.html).
 */
export function iconPackages(names: ReadonlyMap<string, string>): (text: string) => readonly PlacedString[] {
  const search = searchFor(names);
  if (search === null) return () => [];
  const { pattern, packages } = search;
  return (text) => {
    const found = new Map<string, PlacedString>();
    for (const match of text.matchAll(pattern)) {
      const packageName = packages.get(match[1] ?? match[2] ?? '') ?? packages.get('');
      if (packageName !== undefined && !found.has(packageName)) {
        found.set(packageName, { text: packageName, offset: match.index });
      }
    }
    return [...found.values()];
  };
}

function searchFor(names: ReadonlyMap<string, string>): IconSearch | null {
  const packages = new Map<string, string>();
  for (const [name, packageName] of names) {
    if (name.startsWith('@iconify-json/')) packages.set(name.slice('@iconify-json/'.length), packageName);
    else if (name === everySet) packages.set('', packageName);
  }
  if (packages.size === 0) return null;
  const sets = packages.has('')
    ? '[a-z][a-z\\d-]{0,40}?'
    : [...packages.keys()].map((set) => set.replace(/[^\w-]/g, '\\$&')).join('|');
  return { pattern: new RegExp(`(?:\\bi-|~icons/)(${sets})[-:/]|["'\`\\s](${sets}):[a-z\\d]`, 'g'), packages };
}
