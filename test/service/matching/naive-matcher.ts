import { z } from 'zod';

/**
 * A second matcher, written apart from the product and on other lines, to check it by: versions are padded into texts
 * that sort as they should, or compared as PHP's manual words it, and a range is decided by the last event that counts.
 * It knows the versions the lock files hold, no more.
 */
const rawRecord = z.object({
  id: z.string(),
  aliases: z.array(z.string()).nullish(),
  withdrawn: z.string().nullish(),
  summary: z.string().nullish(),
  details: z.string().nullish(),
  affected: z.array(
    z.object({
      package: z.object({ ecosystem: z.string(), name: z.string() }),
      ranges: z.array(z.object({ type: z.string(), events: z.array(z.record(z.string(), z.string())) })).nullish(),
      versions: z.array(z.string()).nullish(),
      database_specific: z.object({ last_known_affected_version_range: z.string().nullish() }).nullish(),
    }),
  ),
});

type RawAffected = z.infer<typeof rawRecord>['affected'][number];
type Compare = (a: string, b: string) => number;

/** A text per version; the texts of two versions sort as SemVer sorts the versions. */
function sortableSemVer(version: string): string {
  const plain = version.replace(/^[v=\s]+/, '').replace(/\+.*$/, '');
  const dash = plain.indexOf('-');
  const numbers = (dash < 0 ? plain : plain.slice(0, dash)).split('.');
  while (numbers.length < 3) numbers.push('0');
  const release = numbers.map((each) => each.padStart(30, '0')).join('');
  if (dash < 0) return `${release}~`;
  const label = plain
    .slice(dash + 1)
    .split('.')
    // A space ends each identifier and sorts below all of its characters; "!" marks numbers, below any letter or hyphen.
    .map((each) => (/^\d+$/.test(each) ? `!${each.padStart(30, '0')} ` : `"${each} `));
  return release + label.join('');
}

const naiveSemVer: Compare = (a, b) => {
  const left = sortableSemVer(a);
  const right = sortableSemVer(b);
  return left === right ? 0 : left < right ? -1 : 1;
};

/** php.net/version_compare: dots around every change between digits and letters, then part by part. */
function phpParts(version: string): string[] {
  return version
    .replace(/[-_+]/g, '.')
    .replace(/(\d)([^\d.])/g, '$1.$2')
    .replace(/([^\d.])(\d)/g, '$1.$2')
    .split('.');
}

const phpForms = ['dev', 'a', 'b', 'rc', '#', 'p'];

function phpForm(part: string): number {
  return /^\d+$/.test(part) ? phpForms.indexOf('#') : phpForms.findIndex((form) => part.startsWith(form));
}

/** For the plain versions of lock files: Composer pads the numbers to four before PHP compares. */
const naiveComposer: Compare = (a, b) => {
  const [left = [], right = []] = [a, b].map((version) => {
    const [, numbers = '', rest = ''] = /^v?([\d.]+)(.*)$/.exec(version.toLowerCase()) ?? [];
    const padded = [...numbers.split('.'), '0', '0', '0'].slice(0, 4).join('.');
    return phpParts(rest === '' ? padded : `${padded}-${rest.replace(/^[-.]/, '')}`);
  });
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const x = left[i] ?? '#';
    const y = right[i] ?? '#';
    const order = phpForm(x) - phpForm(y) || (x === '#' ? 0 : Number(x)) - (y === '#' ? 0 : Number(y)) || 0;
    if (order !== 0) return order;
  }
  return 0;
};

/** Affected when the highest event at or below the version opens an interval. */
function isInside(version: string, events: readonly Record<string, string>[], compare: Compare): boolean {
  let best: { bound: string; opens: boolean } | null = null;
  for (const event of events) {
    for (const [kind, bound] of Object.entries(event)) {
      const distance = bound === '0' ? 1 : compare(version, bound);
      if (kind === 'limit' && distance >= 0) return false;
      const counts = kind === 'last_affected' ? distance > 0 : distance >= 0;
      if (kind === 'limit' || !counts) continue;
      if (best === null || best.bound === '0' || (bound !== '0' && compare(bound, best.bound) >= 0)) {
        best = { bound, opens: kind === 'introduced' };
      }
    }
  }
  return best?.opens ?? false;
}

/** A line that begins with the word, or a sentence of GHSA's. Enough for the npm records, which have no false friends. */
function saysWithdrawn(text: string): boolean {
  const lines = text.split('\n').map((line) => line.toLowerCase().replace(/^[^a-z]+/, ''));
  return lines.some((line) => /^(withdrawn|duplicate advisory|reject \*\*|(cve|this advisory).*withdr?awn)/.test(line));
}

function matches(version: string, entry: RawAffected, compare: Compare): boolean {
  if (entry.versions?.some((listed) => compare(listed, version) === 0)) return true;
  const lastKnown = /^(<=?) *(\S+)$/.exec(entry.database_specific?.last_known_affected_version_range ?? '');
  return (entry.ranges ?? []).some(({ type, events }) => {
    if (type === 'GIT' || !isInside(version, events, compare)) return false;
    const isOpen = events.every((event) => Object.keys(event).every((key) => key === 'introduced'));
    if (!isOpen || lastKnown?.[2] === undefined) return true;
    const order = compare(version, lastKnown[2]);
    return lastKnown[1] === '<' ? order < 0 : order <= 0;
  });
}

/** `key package` for each advisory that affects a package: the key is the CVE id, else the advisory's own. */
export function naivePairs(
  ecosystem: string,
  packages: readonly { name: string; version: string }[],
  records: readonly unknown[],
): Set<string> {
  const compare = ecosystem === 'Packagist' ? naiveComposer : naiveSemVer;
  const pairs = new Set<string>();
  for (const raw of records) {
    const record = rawRecord.parse(raw);
    if (record.withdrawn || saysWithdrawn(`${record.summary ?? ''}\n${record.details ?? ''}`)) continue;
    const key = record.aliases?.find((alias) => alias.startsWith('CVE-')) ?? record.id;
    for (const entry of record.affected) {
      if (entry.package.ecosystem !== ecosystem) continue;
      for (const { name, version } of packages) {
        if (name === entry.package.name && matches(version, entry, compare)) pairs.add(`${key} ${name}`);
      }
    }
  }
  return pairs;
}
