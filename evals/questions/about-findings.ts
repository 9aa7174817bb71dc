import * as z from 'zod';
import type { Question } from '../question.js';
import { coverage, named, project, rows } from './shapes.js';

const about = { package: named, cve: z.string().nullable() };
const day = 24 * 60 * 60 * 1000;

/** Alerts and findings by what is known of them. */
export const aboutFindings: readonly Question[] = [
  {
    name: 'likely, not exploited yet',
    asked: 'What has an EPSS above 0.5 and is not known to be exploited, in dependencies and in images?',
    facts: [/CVE-2025-29927/, /\bnext\b/, /web-shop:1\.8/],
    never: [/CVE-2021-44228|log4j/i],
    async walk(call) {
      const alerts = await call('list_alerts', { epss_min: 0.5, kev: false, resolved: false }, rows(z.object(about)));
      const finding = z.object({ vulnerability_id: z.string(), image_ref: z.string(), kev: z.object({}).nullable() });
      const found = await call('list_container_findings', { epss_min: 0.5 }, rows(finding));
      const inImages = found.items.filter(({ kev }) => kev === null);
      return [
        ...alerts.items.map((each) => `${each.cve} in ${each.package.name}`),
        ...inImages.map((each) => `${each.vulnerability_id} in ${each.image_ref}`),
      ].join('\n');
    },
  },
  {
    name: 'new this week',
    asked: 'Which alerts are new in the last seven days? All of them.',
    requires: ['list_alerts', 'since'],
    facts: [/systeminformation/, /cross-spawn/],
    never: [/log4j|lodash/i],
    async walk(call) {
      const since = new Date(Date.now() - 7 * day).toISOString().slice(0, 10);
      const { items } = await call('list_alerts', { since, page_size: 10 }, rows(z.object(about)));
      return items.map((each) => `${each.cve} in ${each.package.name}`).join('\n');
    },
  },
  {
    name: 'weakness',
    asked: 'Where do we have SQL injection (CWE-89), in our own code or in packages?',
    facts: [/src\/search\/find-products\.ts:41/, /\b8\b/, /not known|no known|unknown/i],
    async walk(call) {
      const finding = z.object({ file: z.string(), line: z.int(), project });
      const code = await call('list_sast_findings', { cwe: 'CWE-89' }, rows(finding));
      const alerts = await call('list_alerts', { cwe: 'CWE-89' }, rows(z.object(about)).extend({ coverage }));
      const places = code.items.map((each) => `${each.file}:${each.line} in ${each.project.name}`);
      return `${places}. In packages: ${alerts.total} (${alerts.coverage.status}: ${alerts.coverage.gaps}).`;
    },
  },
  {
    name: 'overdue',
    asked: 'Which known exploited vulnerabilities are past CISA’s due date, and since when?',
    facts: [/CVE-2021-44228[^\n]*2021-12-24/, /CVE-2021-21315[^\n]*2022-02-01/],
    async walk(call) {
      const row = z.object({ ...about, kev: z.object({ due_date: z.string() }), first_seen_at: z.iso.datetime() });
      const { items } = await call('list_alerts', { kev: true, resolved: false, page_size: 10 }, rows(row));
      const today = new Date().toISOString().slice(0, 10);
      const overdue = items.filter(({ kev }) => kev.due_date < today);
      return overdue.map((each) => `${each.cve}: ${each.kev.due_date}, ours since ${each.first_seen_at}`).join('\n');
    },
  },
  {
    name: 'unknown id',
    asked: 'Are we exposed to CVE-2024-3094?',
    facts: [/unknown|not known|cannot (?:say|tell)/i],
    never: [/not exposed|not affected|\bsafe\b/i],
    async walk(call) {
      const found = await call('find_exposed', { cve: 'CVE-2024-3094' }, rows(z.object({})).extend({ coverage }));
      return `${found.total} places, ${found.coverage.status}: ${found.coverage.gaps[0]}.`;
    },
  },
  {
    name: 'gate',
    asked: 'Which critical vulnerabilities are in packages that our code calls or imports?',
    facts: [/log4j-core/, /lodash/, /\bnext\b/],
    never: [/minimatch|cross-spawn/i],
    async walk(call) {
      const input = { usage: ['called', 'imported'], severity: ['critical'], resolved: false };
      const { items } = await call('list_alerts', input, rows(z.object(about)));
      return items.map((each) => `${each.package.name}: ${each.cve}`).join('\n');
    },
  },
  {
    name: 'not urgent',
    asked: 'Why is CVE-2025-29927 not urgent for us?',
    facts: [/NotExploitable|not exploitable|override/i, /middleware/i, /Web shop/],
    async walk(call) {
      const override = z.object({ verdict: z.string(), reason: z.string(), set_by: z.string() });
      const shape = z.object({ override, project });
      const verdict = await call('get_reachability_verdict', { verdict_id: 'CVE-2025-29927' }, shape);
      const { set_by, reason } = verdict.override;
      return `${set_by} ruled it ${verdict.override.verdict} in ${verdict.project.name}: ${reason}`;
    },
  },
];
