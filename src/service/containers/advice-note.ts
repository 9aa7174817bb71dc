import { formatCount } from '../../shared/text/number-text.js';
import { familiarRef } from './image-ref.js';

/** Days after which a scan is said to be old: newer vulnerabilities are missing in it. */
const maxFreshDays = 30;

const dayMs = 24 * 60 * 60 * 1000;

function daysSince(scannedAt: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - scannedAt.getTime()) / dayMs));
}

/** `; its scan is 45 days old` and what that means; empty for a fresh scan. */
export function ageWarning(scannedAt: Date, now: Date): string {
  const days = daysSince(scannedAt, now);
  return days > maxFreshDays ? `; its scan is ${days} days old, so newer vulnerabilities are missing in it` : '';
}

/** What an advice was made from. */
export interface AdviceGrounds {
  readonly now: Date;
  readonly scannedAt: Date;
  /** The FROM that is not of the scanned image, as its line names it, and why. */
  readonly misfit: { readonly from: string; readonly why: string } | null;
  readonly base: string | null;
  /** Whose findings stand for the base's: its own scan's, those of the image's base layers, or none. */
  readonly countedIn: 'scan' | 'layers' | 'other_build' | null;
  /** When each image that could replace the base was scanned. */
  readonly compared: readonly Date[];
  readonly better: number;
  /** Scanned images that may be a base at all, and whether there are more than were looked at. */
  readonly candidates: number;
  readonly isCut: boolean;
}

/** What an advice covers, and what is missing for more. */
export function adviceNote(grounds: AdviceGrounds): string {
  const { now, scannedAt, misfit, base } = grounds;
  const days = daysSince(scannedAt, now);
  return [
    misfit === null
      ? []
      : `The Dockerfile’s FROM ${misfit.from} does not fit the scan of ${scannedAt.toISOString().slice(0, 10)}: ${misfit.why}. It is newer than the scan, or of another image, and no delta is claimed for it: scan the image that it builds.`,
    base === null ? unknownBase : comparisonText(grounds, familiarRef(base)),
    days > maxFreshDays
      ? `This image was scanned ${days} days ago: scan it again, since newer vulnerabilities are missing.`
      : [],
  ]
    .flat()
    .join(' ');
}

const unknownBase =
  'The report does not say what the image is built on: scan its base image too, set the Dockerfile, or build with the label org.opencontainers.image.base.name.';

function comparisonText(grounds: AdviceGrounds, base: string): string[] {
  const { countedIn, compared, better, candidates, isCut, now } = grounds;
  if (countedIn === null)
    return [`Scan ${base}, so that there is something to compare with: the report has no layers.`];
  const repository = base.replace(/[:@][^/]*$/, '');
  const standIn = {
    scan: [],
    layers: [`${base} has not been scanned: the findings in the image’s base layers stand for it.`],
    other_build: [`${base} was scanned as another build: the findings in the image’s base layers stand for it.`],
  }[countedIn];
  const ages = compared.map((each) => daysSince(each, now));
  const [youngest, oldest] = [Math.min(...ages), Math.max(...ages)];
  const span = youngest === oldest ? `${oldest}` : `${youngest} to ${oldest}`;
  const scanned = `scanned ${span} ${oldest === 1 ? 'day' : 'days'} ago`;
  const cut = isCut ? [`There are more than ${formatCount(candidates)}; the others were not looked at.`] : [];
  if (compared.length === 0) {
    return [
      `Nothing to compare with: scan what the image could be built on instead, such as a newer tag or a slimmer variant of ${repository}.`,
      ...standIn,
      `Only images that the organisation has scanned are compared: of ${formatCount(candidates)} that may be a base, none has the same repository, runtime or system, and is no older.`,
      ...cut,
    ];
  }
  const result =
    better === 0 ? [`No known image is better than today’s: none of those compared has fewer findings.`] : [];
  return [
    ...result,
    ...standIn,
    `Only images that the organisation has scanned were compared: ${formatCount(compared.length)}, ${scanned}.`,
    ...cut,
  ];
}
