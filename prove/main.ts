/**
 * Attacks an instance of its own, or a deployment without harm, and prints what held by row of the OWASP API Security Top
 * 10. Ends with 1 if something failed, with 2 if it could not begin.
 */
import { writeFileSync } from 'node:fs';
import { sections } from './sections/index.js';
import { buildProgram } from './support/build-program.js';
import { type Check, judged } from './support/check.js';
import { startInstance } from './support/instance.js';
import { OptionError, type Options, readOptions } from './support/options.js';
import type { LocalProof, ReadOnlyProof, Section } from './support/proof.js';
import { startReceivers } from './support/receivers.js';
import { reportJson, reportText } from './support/report.js';
import { createTenant } from './support/tenant.js';

const usage = `npm run prove                               against a fresh instance on this machine, under ten minutes
npm run prove -- --short                    in short, for CI: no kill -9; judged by outcomes, not by times
npm run prove -- --url URL --key READ_KEY   read-only, against a deployment
  --only NAME,...   some sections: ${sections.map(({ name }) => name).join(', ')}
  --json FILE       writes the whole report
PROVE_DATABASE_URL: an empty PostgreSQL database for the fresh instance. Default: the embedded one.`;

async function prove(options: Options): Promise<Check[]> {
  const chosen = sectionsOf(options);
  const { url, key, short } = options;
  if (url !== undefined && key !== undefined) return runSections(chosen, { url, key, short });
  const receivers = await startReceivers();
  const program = await buildProgram();
  const instance = await startInstance({
    ...{ program, allowedReceivers: receivers.host, databaseUrl: process.env['PROVE_DATABASE_URL'] },
  });
  try {
    const tenants = {
      Free: await createTenant(instance, 'Free'),
      Business: await createTenant(instance, 'Business'),
      Enterprise: await createTenant(instance, 'Enterprise'),
    };
    const { url } = instance;
    const proof = { url, key: tenants.Business.readKey, short, instance, tenants, program, receiver: receivers.host };
    return await runSections(chosen, proof);
  } finally {
    await instance.close();
    receivers.close();
  }
}

function sectionsOf({ only }: Options): readonly Section[] {
  if (only === undefined) return sections;
  const names = only.split(',');
  const unknown = names.filter((name) => !sections.some((section) => section.name === name));
  if (unknown.length > 0) throw new OptionError(`there is no section ${unknown.join(', ')}`);
  return sections.filter(({ name }) => names.includes(name));
}

async function runSections(chosen: readonly Section[], proof: ReadOnlyProof | LocalProof): Promise<Check[]> {
  const checks: Check[] = [];
  for (const section of chosen) {
    const begun = performance.now();
    const found = await runSection(section, proof);
    checks.push(...found);
    const failed = found.filter(({ outcome }) => outcome === 'failed').length;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    if (found.length > 0) console.error(`${section.name}: ${seconds} s${failed > 0 ? `, ${failed} failed` : ''}`);
  }
  return checks;
}

/** A section that ends with an error is a failed check: the others still run. */
async function runSection(section: Section, proof: ReadOnlyProof | LocalProof): Promise<Check[]> {
  const isLocal = 'instance' in proof;
  try {
    if (section.needs !== 'instance') return section.needs === 'target' || !isLocal ? await section.run(proof) : [];
    return isLocal && !(proof.short && section.isLong === true) ? await section.run(proof) : [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [judged({ row: 'API4', name: section.name }, 'the section could not be run', [message])];
  }
}

// Ends through the `exit` event, which stops the instance.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(usage);
  else {
    const begun = performance.now();
    const checks = await prove(options);
    const seconds = Math.round((performance.now() - begun) / 1000);
    const failed = checks.filter(({ outcome }) => outcome === 'failed').length;
    console.log(reportText(checks));
    console.log(`${checks.length} checks in ${seconds} s: ${failed === 0 ? 'all held' : `${failed} failed`}`);
    const target = options.url ?? 'a fresh instance';
    if (options.json !== undefined) writeFileSync(options.json, reportJson(checks, { target, seconds, failed }));
    process.exitCode = failed === 0 ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
