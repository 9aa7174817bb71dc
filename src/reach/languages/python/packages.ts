import { rowsOf } from '../../knowledge/knowledge.js';
import type { Rows } from '../../knowledge/knowledge-file.js';
import { groupBy } from '../../lockfiles/group-by.js';
import { normalisePython } from '../../lockfiles/names.js';
import { packageTable, remembering } from '../package-table.js';

const modulesOfPackages = [rowsOf('python/packages'), rowsOf('python/modules')];

const sharedPrefixes: ReadonlyMap<string, string> = new Map(
  Object.entries(rowsOf('python/shared-prefixes')).map(([prefix, [before = '']]) => [prefix, before]),
);

/** Parts of a module that may belong to a package's name: `opentelemetry.exporter.otlp.proto.grpc` has five. */
const maxNameParts = 6;

const before = /^(?:python3?[-_.]|py[-_.]?|django[-_.]|drf[-_.])/;
const behind = /(?:[-_.](?:python3?|py|client|api|sdk|lib|cpp|ng)){1,3}$/;
/** Extensions of Django REST framework, whose modules begin with `rest_framework_`. */
const restFramework = /^(?:djangorestframework|drf)[-_.]/;

/** The letters and digits of a name: `zxing-cpp` is `zxingcpp`. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]/g, '');
}

/** A package's name without the words that its modules mostly leave out: `python-magic` and `PyYAML` are `magic` and `yaml`. */
function bareForms(name: string): string[] {
  const lower = name.toLowerCase();
  const forms = [
    lower.replace(before, ''),
    lower.replace(behind, ''),
    lower.replace(before, '').replace(behind, ''),
    lower.replace(restFramework, 'rest_framework_'),
  ];
  return [...new Set(forms.map(lettersOf))].filter((form) => form !== '' && form !== lettersOf(name));
}

/** Finds packages among those that the lock files name. */
export interface PackageFinder {
  /** The packages that a module comes from. */
  packagesOf(module: string): readonly string[];
  /** The packages with a name, where case and punctuation count the same. */
  named(name: string): readonly string[];
  /** Whether the tables list the modules of a package, so that an import of them is found. */
  isListed(name: string): boolean;
  /** The packages that may have a module whose name begins so. */
  startingWith(beginning: string): readonly string[];
}

/**
 * Finds the packages that a module comes from, among those that the lock files name. The tables and a package's own name, also
 * where hyphens differ, are certain. A name with the usual words around it is likely. `google.cloud.storage` is named by its parts.
 *
 * @param tables packages by module
 */
export function pythonPackageFinder(
  packageNames: readonly string[],
  tables: readonly Rows[] = modulesOfPackages,
): PackageFinder {
  const byName = new Map(packageNames.map((name) => [normalisePython(name), name]));
  const byLetters = groupBy(packageNames, lettersOf);
  const byBareForm = groupBy(
    packageNames.flatMap((name) => bareForms(name).map((form) => ({ name, form }))),
    ({ form }) => form,
  );
  const listed = tables.map((rows) => packageTable(rows, (name) => byName.get(name)));
  const withModules = new Set(listed.flatMap((table) => [...table.values()].flat()));
  const inTables = (module: string) => listed.flatMap((table) => table.get(module) ?? []);
  const named = (name: string) => byLetters.get(lettersOf(name)) ?? [];
  const first = (answers: readonly (readonly string[])[]) => answers.find((names) => names.length > 0) ?? [];

  const packagesOf = remembering((module) => {
    const parts = module.split('.', maxNameParts);
    const [top = ''] = parts;
    // The longest beginning first.
    const beginnings = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
    const below = beginnings.slice(0, -1);
    const shared = sharedPrefixes.get(top);
    if (shared !== undefined) {
      const found = first(
        below.map((part) => [...new Set([...inTables(part), ...named(shared + withoutVersion(part))])]),
      );
      if (found.length > 0) return found;
    }
    const certain = new Set([...first(beginnings.map(inTables)), ...named(top)]);
    if (certain.size > 0) return [...certain];
    const likely = byBareForm.get(lettersOf(top))?.map(({ name }) => name) ?? [];
    return likely.length > 0 ? likely : first(below.map(named));
  });
  return {
    packagesOf,
    named,
    isListed: (name) => withModules.has(name),
    startingWith(beginning) {
      const letters = lettersOf(beginning);
      const starts = (form: string) => form.startsWith(letters);
      const byOwnName = packageNames.filter((name) => [lettersOf(name), ...bareForms(name)].some(starts));
      const byModule = listed.flatMap((table) =>
        [...table].flatMap(([module, names]) => (module.startsWith(beginning) ? names : [])),
      );
      return [...new Set([...byOwnName, ...byModule])];
    },
  };
}

/** `google.cloud.pubsub_v1` without the version of the interface. */
function withoutVersion(module: string): string {
  return module.replace(/_v\d\w*$/, '');
}
