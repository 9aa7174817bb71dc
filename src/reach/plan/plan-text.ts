import type * as z from 'zod';
import type { procedures } from '../../procedures/index.js';
import { formatCount } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';

export type FixPlan = z.output<typeof procedures.remediation.plan.output>;

type Upgrade = FixPlan['upgrades'][number];
type Stay = FixPlan['stays_open']['worst'][number];

const hows: Readonly<Record<Upgrade['steps'][number]['how'], string>> = {
  direct: 'direct dependency',
  override: 'transitive: override',
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
  const { upgrades, unnamed, stays_open: stays, base_images: images, proof } = plan;
  const total = upgrades.length + unnamed.upgrades;
  const lines = [
    `${counted(total, 'upgrade')} close${total === 1 ? 's' : ''} ${formatCount(proof.closes)} of ${counted(proof.open, 'open alert')}; ${may(proof.may_close)}${formatCount(proof.left)} stay${proof.left === 1 ? 's' : ''} open.`,
    ...upgrades.flatMap((upgrade, nth) => ['', ...upgradeText(upgrade, nth + 1)]),
    ...(unnamed.upgrades > 0
      ? [
          '',
          `and ${counted(unnamed.upgrades, 'upgrade')} more, which close ${formatCount(unnamed.closes)} (--limit names more)`,
        ]
      : []),
    ...(images.items.length > 0 ? ['', 'Base images:', ...images.items.map(imageText)] : []),
    ...(plan.run.length > 0 ? ['', 'Then, beside each lock file of npm:', ...plan.run.map((line) => `  ${line}`)] : []),
    ...(stays.total > 0 ? ['', 'Stays open:', ...stays.worst.map(stayText)] : []),
    ...(stays.total > stays.worst.length ? [`  and ${formatCount(stays.total - stays.worst.length)} more`] : []),
    ...(proof.not_planned > 0 ? [`  and ${counted(proof.not_planned, 'alert')} beyond the bound of one plan`] : []),
    ...(plan.coverage.gaps.length > 0 ? ['', 'Not known:', ...plan.coverage.gaps.map((gap) => `  ${gap}`)] : []),
    '',
    'What the new versions bring in besides is not known before the next reach sync.',
  ];
  return lines.map((line) => `${plainText(line, maxLine)}\n`).join('');
}

function upgradeText(upgrade: Upgrade, nth: number): string[] {
  const {
    package: name,
    scope,
    closes,
    may_close: mayClose,
    leaves,
    known_exploited: exploited,
    priority,
    sites,
  } = upgrade;
  const facts = [
    `closes ${formatCount(closes)}`,
    ...(mayClose > 0 ? [`may close ${formatCount(mayClose)}`] : []),
    ...(exploited > 0 ? [`${formatCount(exploited)} known exploited`] : []),
    ...(priority === null ? [] : [`EffectivePriority ${priority.toFixed(1)}`]),
    ...(leaves > 0 ? [`leaves ${formatCount(leaves)}`] : []),
    ...(scope === null ? [] : [scope]),
  ];
  const used = sites === null || sites.total === 0 ? [] : [`   imported in ${sites.first.join(', ')}${moreOf(sites)}`];
  return [
    `${nth}. ${name}: ${facts.join(', ')}`,
    ...upgrade.steps.flatMap(({ from, to, status, jump, how, all_versions, brought_by, edits, more_files }) => [
      `   ${from} -> ${to} (${jump === 'unknown' ? 'size of the step not known' : jump}; ${hows[how]}${brought_by === null ? '' : `, by ${brought_by}`})`,
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
  return `  ${tier} ${vulnerability} ${name} ${versions.join(', ')}: ${whys[why]}${holder === null ? '' : `, ${holder}`}${to === null ? '' : ` (${to})`}`;
}

function counted(amount: number, noun: string): string {
  return `${formatCount(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}
