interface SamplePackage {
  readonly purl: string;
  readonly direct: boolean;
  readonly scope: 'runtime' | 'development';
  readonly deprecated?: string;
  /** Names of packages that it brings in, among others. */
  readonly brings?: readonly string[];
}

const direct = (purl: string) => ({ purl, direct: true, scope: 'runtime' }) as const;
const transitive = (purl: string) => ({ purl, direct: false, scope: 'runtime' }) as const;

const kept: readonly SamplePackage[] = [
  direct('pkg:npm/express@4.18.2'),
  direct('pkg:npm/lodash@4.17.11'),
  direct('pkg:npm/next@14.1.0'),
  direct('pkg:npm/axios@1.5.0'),
  direct('pkg:npm/marsdb@0.6.11'),
  transitive('pkg:npm/minimatch@3.0.4'),
  {
    ...direct('pkg:npm/request@2.88.2'),
    ...{ deprecated: 'request has been deprecated, see issue 3142', brings: ['qs'] },
  },
  direct('pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1'),
  transitive('pkg:cargo/ansi_term@0.12.1'),
];

const crossSpawn = { ...transitive('pkg:npm/cross-spawn@7.0.3'), scope: 'development' } as const;

/** A web shop's back end with a Java search service, at the first sync. */
export const firstPackages: readonly SamplePackage[] = [
  ...kept,
  transitive('pkg:npm/qs@6.5.2'),
  direct('pkg:maven/org.springframework/spring-beans@5.3.17'),
  direct('pkg:maven/org.apache.commons/commons-text@1.9'),
];

/** After upgrades, which resolve the alerts of three packages. */
export const upgradedPackages: readonly SamplePackage[] = [
  ...kept,
  transitive('pkg:npm/qs@6.14.1'),
  direct('pkg:maven/org.springframework/spring-beans@5.3.20'),
  direct('pkg:maven/org.apache.commons/commons-text@1.10.0'),
];

/** Today: a health check and a release script have added old packages. */
export const currentPackages: readonly SamplePackage[] = [
  ...upgradedPackages,
  direct('pkg:npm/systeminformation@5.2.0'),
  crossSpawn,
];

/** The packages of the other project. */
export const toolPackages: readonly SamplePackage[] = [transitive('pkg:npm/minimatch@3.0.4'), crossSpawn];
