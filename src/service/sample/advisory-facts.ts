/** The versions of an npm package, from `introduced` to before `fixed`; null where nothing is fixed. */
export const npm = (name: string, ...ranges: readonly [introduced: string, fixed: string | null][]) =>
  affected('npm', name, ranges);

/** The affected versions of a package, as OSV writes them. */
export function affected(ecosystem: string, name: string, ranges: readonly (readonly [string, string | null])[]) {
  return {
    package: { ecosystem, name },
    ranges: ranges.map(([introduced, fixed]) => ({
      type: 'ECOSYSTEM',
      events: fixed === null ? [{ introduced }] : [{ introduced }, { fixed }],
    })),
  };
}

interface Facts {
  readonly published: string;
  readonly summary: string;
  /** CVSS 3.1. */
  readonly vector: string | null;
  readonly affected: ReturnType<typeof affected>;
  /** Kinds of weakness (CWE). */
  readonly cwes?: readonly string[];
}

/** A record of the GitHub Advisory Database. */
export function github(id: string, cve: string | null, label: string, { vector, affected, cwes = [], ...text }: Facts) {
  return {
    id,
    aliases: cve === null ? [] : [cve],
    ...text,
    severity: vector === null ? [] : [{ type: 'CVSS_V3', score: `CVSS:3.1/${vector}` }],
    database_specific: { severity: label, cwe_ids: cwes },
    references: [
      { type: 'ADVISORY', url: `https://github.com/advisories/${id}` },
      ...(cve === null ? [] : [{ type: 'ADVISORY', url: `https://nvd.nist.gov/vuln/detail/${cve}` }]),
    ],
    affected: [affected],
  };
}
