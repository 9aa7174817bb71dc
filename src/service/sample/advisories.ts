import { affected } from './advisory-facts.js';
import { javaAdvisories } from './java-advisories.js';
import { npmAdvisories } from './npm-advisories.js';

/**
 * Advisories of the sample project: all that concern the versions that it tracks or recommends. Facts from the GitHub
 * Advisory Database (CC BY 4.0) and RustSec (CC0), with summaries of our own. `modified` is the day of publication, so that
 * a real feed always replaces them.
 */
const advisories = [
  ...javaAdvisories,
  ...npmAdvisories,
  {
    id: 'RUSTSEC-2021-0139',
    aliases: [],
    published: '2021-08-18T12:00:00Z',
    summary: 'ansi_term is no longer maintained',
    severity: [],
    affected: [
      {
        ...affected('crates.io', 'ansi_term', [['0.0.0-0', null]]),
        database_specific: { informational: 'unmaintained' },
      },
    ],
  },
];

/** OSV records, read by the same schema as a feed's. */
export const sampleAdvisories = advisories.map((each) => ({ ...each, modified: each.published }));
