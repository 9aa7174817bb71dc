import * as z from 'zod';
import type { Question } from '../question.js';
import { coverage, named, project, rows } from './shapes.js';

/** Packages, images and projects. */
export const aboutStacks: readonly Question[] = [
  {
    name: 'where is a package',
    asked: 'Where do we use minimatch, and in which versions?',
    facts: [/Web shop[^\n]*3\.0\.4/, /Build tools[^\n]*3\.0\.4/],
    async walk(call) {
      const row = z.object({ name: z.string(), version: z.string(), project });
      const { items } = await call('list_tech_stack', { package: 'minimatch' }, rows(row));
      return items.map((each) => `${each.project.name}: ${each.name} ${each.version}`).join('\n');
    },
  },
  {
    name: 'what brings it in',
    asked: 'What brings qs into Web shop? It has no alert.',
    facts: [/request/],
    async walk(call) {
      const row = z.object({ name: z.string(), version: z.string(), introduced_by: z.string().nullable() });
      const { items } = await call('list_tech_stack', { project_id: 'Web shop', package: 'qs' }, rows(row));
      return items.map((each) => `${each.name} ${each.version} comes with ${each.introduced_by}`).join('\n');
    },
  },
  {
    name: 'licences',
    asked: 'Do we use anything under the GPL?',
    facts: [/not known|no known|unknown/i, /licen[cs]e/i],
    never: [/^No\b/],
    async walk(call) {
      const found = await call('list_tech_stack', { licence: 'GPL' }, rows(named).extend({ coverage }));
      return `${found.total} found, but that is ${found.coverage.status}: ${found.coverage.gaps}.`;
    },
  },
  {
    name: 'vex',
    asked: 'How many vulnerabilities does the VEX of Web shop state, and how do I get it here?',
    facts: [/\b32\b/, /part|cursor/i],
    async walk(call) {
      const shape = z.object({ vulnerabilities: z.int(), next_cursor: z.string().nullable() });
      const vex = await call('export_sbom', { project_id: 'Web shop', vex: true }, shape);
      return `${vex.vulnerabilities}; it comes in parts, the first with the cursor ${vex.next_cursor}.`;
    },
  },
  {
    name: 'packages to replace',
    asked: 'Which packages of Web shop are deprecated or no longer maintained?',
    facts: [/request/, /ansi_term/, /2021/],
    async walk(call) {
      const health = z.object({ deprecated: z.string().nullable(), unmaintained_since: z.string().nullable() });
      const row = named.extend({ health });
      const { items } = await call('get_package_health', { project_id: 'Web shop' }, rows(row));
      return items.map(({ name, health: of }) => `${name}: ${of.deprecated ?? of.unmaintained_since}`).join('\n');
    },
  },
  {
    name: 'never scanned',
    asked: 'Which projects have never had a scan of their code?',
    facts: [/Build tools/],
    never: [/Web shop/],
    async walk(call) {
      const { items } = await call('list_projects', { never_scanned: ['code'] }, rows(named));
      return items.map(({ name }) => name).join('\n');
    },
  },
  {
    name: 'worst by how much',
    asked: 'Which projects are worst, and what is open in each?',
    facts: [/Web shop[^\n]*\b5 known exploited/, /Web shop[^\n]*\b16 RED/, /Build tools[^\n]*\b0 RED/],
    async walk(call) {
      const row = named.extend({ known_exploited: z.int(), open: z.object({ red: z.int(), yellow: z.int() }) });
      const { items } = await call('list_projects', { sort: 'worst' }, rows(row));
      const say = ({ name, known_exploited, open }: z.output<typeof row>) =>
        `${name}: ${known_exploited} known exploited, ${open.red} RED, ${open.yellow} YELLOW`;
      return items.map(say).join('\n');
    },
  },
  {
    name: 'images',
    asked: 'Which container images do we scan, and which has the most RED findings?',
    facts: [/node:20\.18\.1-bookworm-slim/, /worst[^\n]*web-shop:1\.8[^\n]*\b6\b/i],
    async walk(call) {
      const row = z.object({ ref: z.string(), tiers: z.object({ red: z.int() }) });
      const { items } = await call('list_container_images', {}, rows(row));
      const [worst] = items.toSorted((a, b) => b.tiers.red - a.tiers.red);
      return `${items.map(({ ref }) => ref)}\nWorst: ${worst?.ref} with ${worst?.tiers.red} RED.`;
    },
  },
];
