/** OSV records as they are read, and the facts that are stored of them. */
export { type Advisory, toAdvisory } from './advisory.js';
export { osvRecordSchema } from './osv-record.js';
