import * as z from 'zod';
import type { Question } from '../question.js';
import { named, project, rows } from './shapes.js';

const step = z.object({ from: z.string(), to: z.string().nullable() });
const fixOfRisk = z.object({ package: z.string(), steps: z.array(step) }).nullable();

/** The ten questions that people ask most. */
export const mostAsked: readonly Question[] = [
  {
    name: 'fix first',
    asked: 'What should we fix first, and how?',
    facts: [/log4j-core/i, /CVE-2021-44228|Log4Shell/i, /2\.1[5-9]|2\.2\d/],
    async walk(call) {
      const risk = z.object({ cve: z.string().nullable(), why: z.string(), project, fix: fixOfRisk });
      const { risks } = await call('get_top_risks', {}, z.object({ risks: z.array(risk).min(1) }));
      const [first] = risks;
      const steps = first?.fix?.steps.map(({ from, to }) => `from ${from} to ${to}`).join(', ');
      return `${first?.cve} in ${first?.project.name} (${first?.why}): upgrade ${first?.fix?.package} ${steps}.`;
    },
  },
  {
    name: 'exposed',
    asked: 'Are we exposed to CVE-2021-44228 and to CVE-2023-4911, and where?',
    facts: [/log4j-core/i, /libc6|glibc/i, /web-shop:1\.8/, /Web shop/i],
    never: [/not exposed|not affected/i],
    async walk(call) {
      const place = z.object({
        ...{ project_name: z.string(), location: z.string().nullable(), status: z.string() },
        ...{ package: named, versions: z.array(z.string()) },
      });
      const found = await Promise.all(
        ['CVE-2021-44228', 'CVE-2023-4911'].map((cve) => call('find_exposed', { cve }, rows(place))),
      );
      return found
        .flatMap(({ items }) => items)
        .map(
          (each) => `${each.package.name} ${each.versions} in ${each.project_name}, ${each.location}: ${each.status}`,
        )
        .join('\n');
    },
  },
  {
    name: 'package to add',
    asked: 'May we add lodash 4.17.11? And is left-pad 1.3.0 safe?',
    facts: [/CVE-2019-10744|GHSA-jf85-cpcp-j695/, /unknown|not known|cannot (?:say|tell)/i],
    never: [/left-pad[^.]{0,40} is safe/i],
    async walk(call) {
      const answer = z.object({
        advisories: z.array(z.object({ cves: z.array(z.string()) })),
        coverage: z.object({ status: z.string(), gaps: z.array(z.string()) }),
      });
      const check = (name: string, version: string) =>
        call('check_package', { ecosystem: 'npm', name, version }, answer);
      const [lodash, leftPad] = await Promise.all([check('lodash', '4.17.11'), check('left-pad', '1.3.0')]);
      const cves = lodash.advisories.flatMap((each) => each.cves);
      return `No: lodash has ${cves}. left-pad: ${leftPad.coverage.status}, for ${leftPad.coverage.gaps}.`;
    },
  },
  {
    name: 'what changed',
    asked: 'What changed in the last seven days, and what is the worst of it?',
    facts: [/systeminformation/i, /\b7\b|seven/i, /\b5\b|five/i],
    async walk(call) {
      const counts = z.object({ new: z.int(), resolved: z.int() }).nullable();
      const answer = z.object({
        window_days: z.int(),
        domains: z.record(z.string(), counts),
        worst_new: z.array(z.object({ title: z.string(), package: z.string().nullable() })),
      });
      const { domains, worst_new, window_days } = await call('get_findings_diff', {}, answer);
      const changes = Object.entries(domains).map(
        ([domain, each]) => `${domain} ${each?.new} new, ${each?.resolved} resolved`,
      );
      return `In ${window_days} days: ${changes.join('; ')}. Worst: ${worst_new[0]?.title} (${worst_new[0]?.package}).`;
    },
  },
  {
    name: 'reachable from the internet',
    asked: 'Which packages with open alerts are called by the code of our internet-facing projects?',
    facts: [/log4j-core/i, /lodash/i],
    never: [/minimatch|cross-spawn|axios/i],
    async walk(call) {
      const row = z.object({ package: named, cve: z.string().nullable(), verdict: z.object({ exposure: z.string() }) });
      const { items } = await call('list_alerts', { usage: 'called', status: 'open', page_size: 6 }, rows(row));
      const open = items.filter(({ verdict }) => verdict.exposure === 'internet');
      return open.map((each) => `${each.package.name}: ${each.cve}`).join('\n');
    },
  },
  {
    name: 'fix one',
    asked: 'How do I fix CVE-2019-10744 in Web shop?',
    facts: [/lodash/i, /4\.17\.21/],
    async walk(call) {
      const row = z.object({ package: named, safe_version: z.string().nullable() });
      const { items } = await call('list_alerts', { cve: 'CVE-2019-10744' }, rows(row));
      return items.map((each) => `Upgrade ${each.package.name} to ${each.safe_version}.`).join('\n');
    },
  },
  {
    name: 'base image',
    asked: 'Which base image should registry.example.com/shop/web-shop:1.8 of Web shop be built on?',
    facts: [/node:20\.18\.1-bookworm-slim/],
    async walk(call) {
      const image = z.object({ id: z.string(), ref: z.string(), project });
      const { items } = await call('list_container_images', {}, rows(image));
      const found = items.find(({ ref }) => ref.endsWith('web-shop:1.8'));
      const asked = { project_id: found?.project.id, image_id: found?.id };
      const suggestion = z.object({ dockerfile: z.object({ file: z.string(), line: z.int(), suggested: z.string() }) });
      const { dockerfile } = await call('get_base_image_advice', asked, suggestion);
      return `${dockerfile.file}:${dockerfile.line}: ${dockerfile.suggested}`;
    },
  },
  {
    name: 'who acknowledged',
    asked: 'Who acknowledged CVE-2023-45857 in Web shop, and why?',
    facts: [/First admin/i, /own hosts/i],
    async walk(call) {
      const row = z.object({ acknowledged: z.object({ by: z.string(), note: z.string().nullable() }).nullable() });
      const { items } = await call('list_alerts', { cve: 'CVE-2023-45857' }, rows(row));
      return items.map(({ acknowledged }) => `${acknowledged?.by}: ${acknowledged?.note}`).join('\n');
    },
  },
  {
    name: 'where in the code',
    asked: 'Where does the code of Web shop use what CVE-2019-10744 is about?',
    facts: [/src\/cart\/merge-cart\.ts/, /\b2\b/, /defaultsDeep/],
    async walk(call) {
      const row = z.object({ id: z.string(), project_id: z.string() });
      const { items } = await call('list_alerts', { cve: 'CVE-2019-10744' }, rows(row));
      const site = z.object({ file: z.string(), line: z.int(), symbols: z.array(z.string()) });
      const shape = z.object({ import_sites: z.object({ sites: z.array(site) }) });
      const asked = { project_id: items[0]?.project_id, alert_id: items[0]?.id };
      const { import_sites } = await call('get_alert', asked, shape);
      return import_sites.sites.map(({ file, line, symbols }) => `${file}:${line} (${symbols})`).join('\n');
    },
  },
  {
    name: 'worst project',
    asked: 'Which project is worst?',
    facts: [/Web shop/i],
    async walk(call) {
      const { items } = await call('list_projects', { sort: 'worst', page_size: 1 }, rows(named));
      return `${items[0]?.name} is worst.`;
    },
  },
];
