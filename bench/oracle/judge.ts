import { analyzeTree } from '../../src/reach/analysis/analyze-tree.js';
import type { WireReport } from '../../src/reach/analysis/site-evidence.js';
import { ecosystems as allEcosystems, type Ecosystem } from '../../src/shared/packages/ecosystem.js';
import { parsePurl } from '../../src/shared/packages/purl.js';
import type { Usage } from '../../src/shared/vulnerability-terms.js';
import { formula } from '../../src/verdict/formula.js';
import { usageClassOf } from '../../test/support/usage-class.js';
import { namedIn } from './names-in-source.js';
import { findTruth } from './truth/index.js';
import type { Truth } from './truth/truth.js';

/** A package of a tree: its highest class among its versions, direct ones first. */
interface Judged {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly direct: boolean;
  readonly usage: Usage;
  readonly isJudged: boolean;
}

/** A package that the analysis plays down, with the place that shows its use. */
export interface Wrong {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly direct: boolean;
  readonly usage: Usage;
  readonly place: string;
}

/** The figures of one ecosystem in one tree. */
export interface EcosystemFigures {
  readonly ecosystem: Ecosystem;
  readonly packages: number;
  readonly direct: number;
  readonly judged: number;
  /** Packages that the truth says are used; null where the truth cannot be had here. */
  readonly used: number | null;
  readonly wrong: readonly Wrong[];
  /** Direct packages that are `not_used`, and those of them that production source or configuration names. */
  readonly notUsed: number;
  readonly named: readonly Wrong[];
}

interface TreeFigures {
  readonly milliseconds: number;
  readonly files: number;
  readonly ecosystems: readonly EcosystemFigures[];
}

/** Analyzes a tree, and compares each package's class with the truth. */
export async function judgeTree(folder: string): Promise<TreeFigures> {
  const start = performance.now();
  const { report } = await analyzeTree({ folder, entries: [], version: 'oracle', progress: () => undefined });
  const milliseconds = performance.now() - start;
  const judged = judgedPackages(report);
  const ecosystems: EcosystemFigures[] = [];
  for (const ecosystem of allEcosystems) {
    const packages = judged.filter((each) => each.ecosystem === ecosystem);
    if (packages.length === 0) continue;
    const listed = new Map(packages.map((each) => [each.name, each]));
    const truth = await findTruth(ecosystem, folder, listed);
    ecosystems.push(figuresOf(folder, ecosystem, packages, truth));
  }
  return { milliseconds, files: report.stats.files, ecosystems };
}

function figuresOf(
  folder: string,
  ecosystem: Ecosystem,
  packages: readonly Judged[],
  truth: Truth | null,
): EcosystemFigures {
  const direct = packages.filter((each) => each.direct);
  const wrong = packages.flatMap(({ name, direct, usage }) => {
    const place = truth?.used.get(name);
    return place !== undefined && isBelowTransitive(usage) ? [{ ecosystem, name, direct, usage, place }] : [];
  });
  const notUsed = direct.filter(({ usage }) => usage === 'not_used');
  const places = namedIn(
    folder,
    ecosystem,
    notUsed.map(({ name }) => name),
  );
  return {
    ecosystem,
    packages: packages.length,
    direct: direct.length,
    judged: direct.filter(({ isJudged }) => isJudged).length,
    used: truth === null ? null : packages.filter(({ name }) => truth.used.has(name)).length,
    wrong,
    notUsed: notUsed.length,
    named: notUsed.flatMap(({ name, direct, usage }) => {
      const place = places.get(name);
      return place === undefined ? [] : [{ ecosystem, name, direct, usage, place }];
    }),
  };
}

function isBelowTransitive(usage: Usage): boolean {
  return formula.usage[usage] < formula.usage.transitive_only;
}

/** Each package once by its name, as the service classifies it. */
function judgedPackages({ dependencies, complete }: WireReport): Judged[] {
  const found = new Map<string, Judged>();
  for (const dependency of dependencies) {
    const parsed = parsePurl(dependency.purl);
    if (parsed === null) continue;
    const { usage, confidence } = usageClassOf(dependency, complete);
    const { ecosystem, name } = parsed;
    const isJudged = confidence !== 'low' && usage !== 'not_analyzed';
    const next = { ecosystem, name, direct: dependency.direct, usage, isJudged };
    const key = `${ecosystem} ${name}`;
    const before = found.get(key);
    if (before === undefined || isMoreTelling(next, before)) found.set(key, next);
  }
  return [...found.values()];
}

/** A tree imports the version that its manifest names, and of several such versions one. */
function isMoreTelling(one: Judged, other: Judged): boolean {
  if (one.direct !== other.direct) return one.direct;
  return formula.usage[one.usage] > formula.usage[other.usage];
}
