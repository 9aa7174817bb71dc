import type { LinkProps } from '@tanstack/react-router';
import type { RouterOutputs } from '../api/client.js';
import { counted } from '../components/format/format.js';
import { findingPage, listOf } from '../components/posture/scope.js';

type Found = RouterOutputs['intelligence']['search'];
type Tiers = Found['projects']['items'][number]['alerts'];

/** Something that a search found, and where it is shown. */
export interface Result {
  readonly key: string;
  readonly name: string;
  /** What tells it from others of the name. */
  readonly about: string;
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

export interface ResultGroup {
  /** `Projects`, and one of them: `project`. */
  readonly label: string;
  readonly one: string;
  readonly items: readonly Result[];
  readonly total: number;
}

/** What was found as groups, those without a result left out. */
export function resultGroups(found: Found): readonly ResultGroup[] {
  const groups: readonly ResultGroup[] = [
    group('Projects', 'project', found.projects, projectResult),
    group('Vulnerabilities', 'vulnerability', found.vulnerabilities, vulnerabilityResult),
    group('Packages', 'package', found.packages, packageResult),
    group('Images', 'image', found.images, imageResult),
    group('Findings', 'finding', found.findings, findingResult),
  ];
  return groups.filter(({ items }) => items.length > 0);
}

function group<Row>(
  label: string,
  one: string,
  { items, total }: { readonly items: readonly Row[]; readonly total: number },
  toResult: (row: Row) => Omit<Result, 'key'>,
): ResultGroup {
  return {
    label,
    one,
    total,
    items: items.map((row, at) => ({ key: `${label} ${at}`, ...toResult(row) })),
  };
}

type Row<Kind extends keyof Found> = Found[Kind]['items'][number];

function projectResult({ id, name, alerts }: Row<'projects'>): Omit<Result, 'key'> {
  return { name, about: openText(alerts), link: { to: '/projects/$projectId', params: { projectId: id } } };
}

function vulnerabilityResult({ id, title, kev, projects }: Row<'vulnerabilities'>): Omit<Result, 'key'> {
  const known = kev ? ', known exploited' : '';
  const where = projects === 0 ? 'open in no project' : `open in ${counted(projects, 'project')}`;
  return { name: id, about: `${title} (${where}${known})`, link: { to: '/search', search: { q: id } } };
}

function packageResult({ name, ecosystem, projects, versions, alerts }: Row<'packages'>): Omit<Result, 'key'> {
  return {
    name,
    about: `${ecosystem}, ${counted(versions, 'version')} in ${counted(projects, 'project')}, ${openText(alerts)}`,
    link: { to: '/search', search: { q: name } },
  };
}

function imageResult({ ref, project, tiers }: Row<'images'>): Omit<Result, 'key'> {
  return {
    name: ref,
    about: `${project.name}, ${openText(tiers, 'finding')}`,
    link: { to: '/projects/$projectId/images', params: { projectId: project.id } },
  };
}

function findingResult({ id, title, rule_id, project, domain, source }: Row<'findings'>): Omit<Result, 'key'> {
  const about = `${rule_id}, ${source}, ${project.name}`;
  const inProject = { projectId: project.id };
  const link = domain === 'dependencies' ? listOf(domain, inProject) : findingPage({ domain, id, project }, project.id);
  return { name: title, about, link };
}

/** `2 red, 3 yellow open`. */
function openText({ red, yellow, green }: Tiers, what = 'alert'): string {
  const tiers = [red > 0 && `${red} red`, yellow > 0 && `${yellow} yellow`, green > 0 && `${green} green`].filter(
    Boolean,
  );
  return tiers.length === 0 ? `no open ${what}` : `${tiers.join(', ')} open`;
}
