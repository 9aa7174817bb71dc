/** Words around a library's name that say only which language it is for: `python-magic`, `zxing-cpp`, `yaml.js`. */
const languageWords = 'python|py|node|nodejs|js|go|golang|ruby|rb|rust|rs|php|java|cpp';
const prefix = new RegExp(`^(?:${languageWords})[-_.]+|^py(?=[a-z])|^lib(?=[a-z])`);
const suffix = new RegExp(`[-_.]+(?:${languageWords})$`);

/** The shortest name whose place in a longer one means something: `ui` is in too many. */
const minPart = 4;

/** Characters of a name that are compared. */
const maxLength = 256;

/** Different imports that are compared with all packages; hostile source has more. */
const maxCompared = 2000;

/** A name as it is compared: in its bare letters and digits, with and without what names a language. */
function formsOf(name: string): readonly string[] {
  const lower = name.slice(0, maxLength).toLowerCase();
  // The scope of npm, the vendor of Composer, the host and owner of Go, the group of Maven.
  const own = lower.slice(lower.search(/[^/:]*$/)) || lower;
  const stripped = own.replace(prefix, '').replace(suffix, '');
  return [...new Set([lower, own, stripped].map(lettersOf))].filter((form) => form !== '');
}

function lettersOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= minPart && long.includes(short);
}

/**
 * Finds the packages whose names resemble that of an import which no package answers to: equal apart from case, punctuation,
 * scope and the words for a language, or one contained in the other and at least 4 characters long. `zxingcpp` resembles
 * `zxing-cpp`. After 2,000 different names the answer is `any`.
 */
export function resemblanceFinder(packageNames: readonly string[]): (imported: string) => readonly string[] | 'any' {
  const packages = packageNames.map((name) => ({ name, forms: formsOf(name) }));
  const found = new Map<string, readonly string[]>();
  return (imported) => {
    const before = found.get(imported);
    if (before !== undefined) return before;
    if (found.size >= maxCompared) return 'any';
    const forms = formsOf(imported);
    const alike = packages
      .filter((each) => each.forms.some((form) => forms.some((other) => isAlike(form, other))))
      .map(({ name }) => name);
    found.set(imported, alike);
    return alike;
  };
}
