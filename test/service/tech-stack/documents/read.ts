import { readSbom } from '../../../../src/service/tech-stack/documents/read-sbom.js';
import { packagesOf } from '../../../../src/service/tech-stack/sbom-packages.js';

/** What a stack takes from a document, in short: direct packages, and who needs whom. */
export async function readShort(document: object | string) {
  const sbom = await readSbom(document);
  const { packages, unmatched, receipt, directKnown } = await packagesOf(sbom);
  const all = [...packages, ...unmatched];
  return {
    sbom,
    packages,
    unmatched,
    receipt,
    directKnown,
    direct: Object.fromEntries(all.map(({ name, direct }) => [name, direct])),
    needs: Object.fromEntries(
      all.filter(({ dependencies }) => dependencies.length > 0).map(({ name, dependencies }) => [name, dependencies]),
    ),
    known: Object.fromEntries(all.map(({ name, dependencies_known }) => [name, dependencies_known])),
  };
}

/** A CycloneDX document of npm packages and other nodes, with its graph. */
export function cycloneDx(
  packages: readonly string[],
  graph: Readonly<Record<string, readonly string[]>>,
  more: object = {},
) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'app', 'bom-ref': 'root' } },
    components: packages.map((name) => ({ type: 'library', name, 'bom-ref': name, purl: `pkg:npm/${name}@1.0.0` })),
    dependencies: Object.entries(graph).map(([ref, dependsOn]) => ({ ref, dependsOn })),
    ...more,
  };
}
