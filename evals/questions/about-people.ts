import * as z from 'zod';
import type { Question } from '../question.js';
import { project, rows } from './shapes.js';

const override = z.object({ reason: z.string(), set_by: z.string(), expires_at: z.string().nullable() });
const overridden = z.object({ cve: z.string().nullable(), override, project });

/** These questions ask what people and programs did, and what they may do. */
export const aboutPeople: readonly Question[] = [
  {
    name: 'who overrode',
    asked: 'Who overrode which verdict, and why?',
    facts: [/First admin/, /CVE-2025-29927/, /middleware/],
    async walk(call) {
      const { items } = await call('list_reachability_verdicts', { overridden: true }, rows(overridden));
      return items.map(({ cve, override: by }) => `${by.set_by}, ${cve}: ${by.reason}`).join('\n');
    },
  },
  {
    name: 'overridden until when',
    asked: 'What is overridden, where, and until when?',
    facts: [/CVE-2025-29927/, /Web shop/, /never|without end|no (?:end|expiry)|does not (?:end|expire)/i],
    async walk(call) {
      const { items } = await call('list_reachability_verdicts', { overridden: true }, rows(overridden));
      const say = ({ cve, override: by, project: of }: z.output<typeof overridden>) =>
        `${cve} in ${of.name}: ${by.expires_at ?? 'never ends'}`;
      return items.map(say).join('\n');
    },
  },
  {
    name: 'own rights',
    asked: 'What may my key do here?',
    facts: [/read.?only|only read/i],
    never: [/may write|can write/i],
    async walk(call) {
      const credential = z.object({ name: z.string(), scope: z.string(), projects: z.object({}).nullable() });
      const { credential: own } = await call('get_org', {}, z.object({ credential }));
      return `${own.name}: ${own.scope}, in ${own.projects === null ? 'all projects' : 'some projects'}.`;
    },
  },
  {
    name: 'last change of a stack',
    asked: 'What changed the tech stack of Web shop last, and who did it?',
    facts: [/tech_stack\.sync/, /First admin/],
    async walk(call) {
      const entry = z.object({ at: z.string(), action: z.string(), actor: z.object({ name: z.string() }) });
      const input = { project_id: 'Web shop', action: 'tech_stack', page_size: 1 };
      const { items } = await call('get_audit_log', input, rows(entry));
      return items.map(({ at, action, actor }) => `${action} by ${actor.name} at ${at}`).join('\n');
    },
  },
  {
    name: 'notifications',
    asked: 'Does Web shop notify anybody of new RED alerts?',
    facts: [/disabled|switched off|not enabled|\boff\b|^No\b/i, /Sample receiver/],
    async walk(call) {
      const row = z.object({ name: z.string(), enabled: z.boolean(), events: z.array(z.string()) });
      const { items } = await call('list_webhooks', { project_id: 'Web shop' }, rows(row));
      return items.map((each) => `${each.name} (${each.events}): ${each.enabled ? 'on' : 'off'}`).join('\n');
    },
  },
];
