import type * as z from 'zod';
import type { procedures } from '../../procedures/index.js';
import { formatCount } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';

export type FixPlan = z.output<typeof procedures.remediation.plan.output>;

type Upgrade = FixPlan['upgrades'][number];
type Stay = FixPlan['stays_open']['worst'][number];

const hows: Readonly<Record<Upgrade['steps'][number]['how'], string>> = {
  direct: 'direct dependency',
  override: 'transitive: override, because no upgrade of what brings it in is known to do it',
  unknown: 'direct or not: not known',
};

const whys: Readonly<Record<Stay['why'], string>> = {
  no_safe_version: 'no safe version is known',
  old_advisories: 'the advisories are too old to call a version safe',
  newer_parent: 'only a newer version of what brings it in can fix it',
  unreadable_version: 'its version cannot be compared',
  carries_others: 'its archive carries others, unknown of a newer one: upgrade it alone, then sync',
  bundled: 'it comes in the archive of another package',
  parent_moves: 'it may close: what brings it in moves',
};

/** Characters: a command names as many packages as one plan has upgrades. */
const maxLine = 12_000;

/** A plan as people read it: the answer first, then upgrade by upgrade, then what stays open. */
export function planText(plan: FixPlan): string {
  const { refresh, upgrades, unnamed, stays_open: stays, base_images: images, proof } = plan;
  const lines = [
    `${planned(plan)} close${isOne(plan) ? 's' : ''} ${formatCount(proof.closes)} of ` +
      `${counted(proof.open, 'open alert')}; ${may(proof.may_close)}${staysOpen(proof)}.`,
    ...(refresh === null ? [] : ['', ...refreshText(refresh)]),
    ...upgrades.flatMap((upgrade, nth) => ['', ...upgradeText(upgrade, nth + 1)]),
    ...(unnamed.upgrades > 0
      ? [
          '',
          `and ${counted(unnamed.upgrades, 'upgrade')} more, which close ${formatCount(unnamed.closes)} (--limit names more)`,
        ]
      : []),
    ...(images.items.length > 0 ? ['', 'Base images:', ...images.items.map(imageText)] : []),
    ...plan.run.flatMap(({ lockfile, delete_entries, commands }) => [
      '',
      `Then, beside ${lockfile}:`,
      ...delete_entries.map((entry) => `  delete its entry of "${entry}"`),
      ...commands.map((line) => `  ${line}`),
    ]),
    ...(stays.total > 0 ? ['', 'Stays open:', ...stays.worst.map(stayText)] : []),
    ...(stays.total > stays.worst.length ? [`  and ${formatCount(stays.total - stays.worst.length)} more`] : []),
    ...(proof.not_planned > 0 ? [`  and ${counted(proof.not_planned, 'alert')} beyond the bound of one plan`] : []),
    ...(plan.coverage.gaps.length > 0 ? ['', 'Not known:', ...plan.coverage.gaps.map((gap) => `  ${gap}`)] : []),
    '',
    'What the new versions bring in besides is not known before the next reach sync.',
  ];
  return lines.map((line) => `${plainText(line, maxLine)}\n`).join('');
}

function isOne({ refresh, upgrades, unnamed }: FixPlan): boolean {
  return upgrades.length + unnamed.upgrades + (refresh === null ? 0 : 1) === 1;
}

function planned({ refresh, upgrades, unnamed }: FixPlan): string {
  const total = upgrades.length + unnamed.upgrades;
  const upgraded = counted(total, 'upgrade');
  if (refresh === null) return upgraded;
  return total === 0 ? 'A refresh' : `A refresh and ${upgraded}`;
}

function refreshText(refresh: NonNullable<FixPlan['refresh']>): string[] {
  const { packages, more_packages: more, closes, may_close, known_exploited: exploited, priority } = refresh;
  const facts = factsOf({ closes, may_close, known_exploited: exploited, priority, leaves: 0, scope: null });
  return [
    `First, with no file to edit: ${facts}`,
    `   newer inside the ranges: ${packages.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`,
  ];
}

function factsOf(
  of: Pick<Upgrade, 'closes' | 'may_close' | 'known_exploited' | 'priority' | 'leaves' | 'scope'>,
): string {
  const { closes, may_close: mayClose, known_exploited: exploited, priority, leaves, scope } = of;
  return [
    `closes ${formatCount(closes)}`,
    ...(mayClose > 0 ? [`may close ${formatCount(mayClose)}`] : []),
    ...(exploited > 0 ? [`${formatCount(exploited)} known exploited`] : []),
    ...(priority === null ? [] : [`EffectivePriority ${priority.toFixed(1)}`]),
    ...(leaves > 0 ? [`leaves ${formatCount(leaves)}`] : []),
    ...(scope === null ? [] : [scope]),
  ].join(', ');
}

function upgradeText(upgrade: Upgrade, nth: number): string[] {
  const { package: name, fixes, more_fixes: moreFixes, sites } = upgrade;
  const used = sites === null || sites.total === 0 ? [] : [`   imported in ${sites.first.join(', ')}${moreOf(sites)}`];
  return [
    `${nth}. ${name}: ${factsOf(upgrade)}`,
    ...(fixes.length > 0
      ? [`   brings a good ${fixes.join(', ')}${moreFixes > 0 ? ` and ${formatCount(moreFixes)} more` : ''}`]
      : []),
    ...upgrade.steps.flatMap(({ from, to, status, jump, how, all_versions, brought_by, edits, more_files }) => [
      `   ${from} -> ${to} (${jump === 'unknown' ? 'size of the step not known' : jump}; ` +
        `${hows[how]}${brought_by === null ? '' : `, by ${brought_by}`})`,
      ...(status === 'unverified' ? [`     nothing shows that ${to} was published: look before the edit`] : []),
      ...edits.map(({ file, change }) => `     ${file}: ${change}`),
      ...(all_versions ? ['     this replaces all its installed versions'] : []),
      ...(edits.length === 0 ? ['     which file to change is not known'] : []),
      ...(more_files > 0 ? [`     and ${counted(more_files, 'file')} more`] : []),
    ]),
    ...(upgrade.more_steps > 0 ? [`   and ${counted(upgrade.more_steps, 'version')} more`] : []),
    ...used,
  ];
}

function staysOpen({ left, not_planned: beyond }: FixPlan['proof']): string {
  const stays = left - beyond;
  const rest = beyond === 0 ? '' : `; ${formatCount(beyond)} more were not planned`;
  return `${formatCount(stays)} stay${stays === 1 ? 's' : ''} open${rest}`;
}

/** Of the alerts whose fate a resolver decides. */
function may(close: number): string {
  return close === 0 ? '' : `${formatCount(close)} may close; `;
}

function moreOf({ total, first }: NonNullable<Upgrade['sites']>): string {
  return total > first.length ? ` and ${formatCount(total - first.length)} more places` : '';
}

function imageText({ image, from, to, delta, edit }: FixPlan['base_images']['items'][number]): string {
  const change = `RED ${signed(delta.red)}, YELLOW ${signed(delta.yellow)}, GREEN ${signed(delta.green)}`;
  const where = edit === null ? '' : `; ${edit.file}:${edit.line}: ${edit.change}`;
  return `  ${image}: ${from} -> ${to} (${change})${where}`;
}

function signed(amount: number): string {
  return amount > 0 ? `+${formatCount(amount)}` : formatCount(amount);
}

function stayText({ vulnerability, package: name, versions, tier, why, to, bundled_in: holder }: Stay): string {
  const reason = `${whys[why]}${holder === null ? '' : `, ${holder}`}${to === null ? '' : ` (${to})`}`;
  return `  ${tier} ${vulnerability} ${name} ${versions.join(', ')}: ${reason}`;
}

function counted(amount: number, noun: string): string {
  return `${formatCount(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}
