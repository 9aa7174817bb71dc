/** The packages that a tool means by a short name. */
export type Family = ReadonlyMap<string, readonly string[]>;

/** How a tool names its plugins: in its configurations it leaves out what all their names have in common. */
interface Convention {
  /** Names of its configurations. */
  readonly files: RegExp;
  /** Matches the names of packages; the first groups that match, joined by `/`, are the short name. */
  readonly packages: RegExp;
}

/**
 * From the documentation of ESLint, Babel, Docusaurus, Jest, Karma, Metalsmith's remark and rehype, stylelint and PostCSS. The
 * names of the packages stay as they are where a configuration writes them in full.
 */
const conventions: readonly Convention[] = [
  { files: /eslint/i, packages: /^(?:(@[^/]+)\/)?eslint-(?:plugin|config)(?:-(.+))?$/ },
  { files: /babel/i, packages: /^(?:(@[^/]+)\/)?(?:babel-)?(?:plugin|preset)-(.+)$/ },
  {
    files: /^docusaurus\.config/i,
    packages: /^(?:(@(?!docusaurus\/)[^/]+)\/)?(?:@docusaurus\/|docusaurus-)(?:plugin|preset|theme)-(.+)$/,
  },
  { files: /^(?:jest|vitest|vite)\b/i, packages: /^jest-(?:environment|runner|watch)-(.+)$/ },
  { files: /^karma\b/i, packages: /^karma-(.+?)(?:-(?:launcher|reporter|preprocessor))?$/ },
  { files: /remark|unified/i, packages: /^remark-(?:preset-)?(.+)$/ },
  { files: /rehype|unified/i, packages: /^rehype-(?:preset-)?(.+)$/ },
  { files: /stylelint/i, packages: /^stylelint-(?:config|plugin)-(.+)$/ },
  { files: /postcss/i, packages: /^postcss-(.+)$/ },
  { files: /^\.?(?:mocharc|nycrc)/i, packages: /^@istanbuljs\/nyc-config-(.+)$/ },
  { files: /semantic|^\.?release/i, packages: /^@semantic-release\/(.+)$/ },
  { files: /commitlint/i, packages: /^@commitlint\/config-(.+)$/ },
];

const cache = new WeakMap<ReadonlyMap<string, string>, readonly (readonly [RegExp, Family])[]>();

/** The short names that a configuration can have, by its name; only those of the packages that are searched for. */
export function familiesOf(fileName: string, names: ReadonlyMap<string, string>): readonly Family[] {
  let families = cache.get(names);
  if (families === undefined) {
    families = conventions.flatMap((convention) => {
      const family = familyOf(convention, names);
      return family.size === 0 ? [] : [[convention.files, family] as const];
    });
    cache.set(names, families);
  }
  return families.filter(([files]) => files.test(fileName)).map(([, family]) => family);
}

function familyOf({ packages }: Convention, names: ReadonlyMap<string, string>): Family {
  const family = new Map<string, string[]>();
  for (const [name, packageName] of names) {
    const [, scope, rest] = packages.exec(name) ?? [];
    const short = [scope, rest].filter((part) => part !== undefined).join('/');
    if (short !== '') family.set(short, [...(family.get(short) ?? []), packageName]);
  }
  return family;
}

/** The part of a setting that is a plugin's short name: `react` of `plugin:react/recommended` and of `react/jsx-key`. */
export function shorthandWord(text: string): string {
  const name = text.replace(/^(?:plugin|module|babel):/, '');
  const parts = name.split('/');
  return name.startsWith('@') ? parts.slice(0, name.includes(':') ? 1 : 2).join('/') : (parts[0] ?? '');
}
