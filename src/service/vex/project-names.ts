import { packageKey } from '../../shared/packages/package-name.js';
import type { MatchedAlert } from './alert-units.js';
import type { ProjectNames } from './prepare-rows.js';

interface Project {
  readonly id: string;
  readonly name: string;
  readonly repo: string | null;
}

/** What documents may call a project. `product` is the uploader's word for what the document calls it. */
export function projectNames(
  { id, name, repo }: Project,
  product: string | null,
  alerts: readonly MatchedAlert[],
): ProjectNames {
  const lowerCase = (names: readonly (string | null)[]) =>
    new Set(names.flatMap((each) => (each === null ? [] : [each.toLowerCase()])));
  return {
    // As this service's own documents call it.
    certain: lowerCase([product, `urn:postern:project:${id}`, `project:${id}`]),
    likely: lowerCase([name, repo, repo === null ? null : withoutScheme(repo)]),
    packages: new Set(alerts.map(packageKey)),
  };
}

/** `github.com/acme/shop` of `https://github.com/acme/shop.git`. */
function withoutScheme(repo: string): string {
  return repo.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/(?:\.git)?\/*$/, '');
}
