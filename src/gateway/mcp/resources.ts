import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ToolOutcome } from './call-tool.js';
import type { ToolCatalogue, ToolEntry } from './tool-catalogue.js';
import { verdictFormula } from './verdict-formula.js';

const json = 'application/json';

/** A resource that is what a tool answers, or a part of that. */
interface Reading {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The part, where it is not the whole; undefined where it is not there. */
  readonly part?: (answer: Record<string, unknown>) => Record<string, unknown> | undefined;
}

interface Family extends ResourceTemplateType {
  readonly tools: readonly string[];
  /** The reading of a URI's segments; undefined where they are none of this family. */
  readonly read: (segments: readonly string[]) => Reading | undefined;
}

/** Which tool shows a finding of a domain. */
const findingTools: Readonly<Record<string, string>> = {
  code: 'list_sast_findings',
  running_app: 'list_dast_findings',
  containers: 'list_container_findings',
};

const marked = z.looseObject({
  untrusted: z.array(z.string()).default([]),
  items: z.array(z.record(z.string(), z.unknown())).default([]),
});

/** With the names of the row's own fields that outsiders wrote. */
const firstRow = (answer: Record<string, unknown>) => {
  const { untrusted, items } = marked.parse(answer);
  const [row] = items;
  return row && { untrusted: untrusted.flatMap((path) => /^items\.(.+)$/.exec(path)?.[1] ?? []), ...row };
};

const families: readonly Family[] = [
  {
    uriTemplate: 'postern://findings/{project}/{domain}/{id}',
    name: 'finding',
    title: 'A finding',
    description:
      'All that is known of one finding, as get_top_risks names it: domain is dependencies, code, running_app or containers. An alert (dependencies) can be subscribed to.',
    mimeType: json,
    tools: ['get_alert', ...Object.values(findingTools)],
    read: ([project_id = '', domain = '', id = '', ...more]) => {
      if (id === '' || more.length > 0) return undefined;
      if (domain === 'dependencies') return { tool: 'get_alert', input: { project_id, alert_id: id } };
      const tool = findingTools[domain];
      return tool === undefined ? undefined : { tool, input: { project_id, finding_id: id }, part: firstRow };
    },
  },
  {
    uriTemplate: 'postern://advisories/{id}',
    name: 'advisory',
    title: 'An advisory',
    description:
      'Where the organisation is exposed to a CVE or advisory (GHSA, GO, PYSEC, RUSTSEC, OSV), with what was searched.',
    mimeType: json,
    tools: ['find_exposed'],
    read: ([cve = '', ...more]) => (more.length > 0 ? undefined : { tool: 'find_exposed', input: { cve } }),
  },
  {
    uriTemplate: 'postern://posture/{project}',
    name: 'posture of a project',
    title: 'Posture of a project',
    description: 'What get_posture_summary says of a project. It can be subscribed to, by its id.',
    mimeType: json,
    tools: ['get_posture_summary'],
    read: ([project_id = '', ...more]) =>
      project_id === '' || more.length > 0 ? undefined : { tool: 'get_posture_summary', input: { project_id } },
  },
  {
    uriTemplate: 'postern://coverage/{project}',
    name: 'coverage of a project',
    title: 'Coverage of a project',
    description: 'What was searched in a project, how old the feeds are, and what was not looked at.',
    mimeType: json,
    tools: ['get_posture_summary'],
    read: ([project_id = '', ...more]) =>
      project_id === '' || more.length > 0 ? undefined : coverageOf({ project_id }),
  },
];

const formulaUri = 'postern://verdict-formula';
const postureUri = 'postern://posture';
const coverageUri = 'postern://coverage';

const coverageOf = (input: Reading['input']): Reading => ({
  tool: 'get_posture_summary',
  input,
  part: (answer) => ({
    untrusted: marked.parse(answer).untrusted.filter((path) => path.startsWith('coverage.')),
    coverage: answer['coverage'],
    unavailable: answer['unavailable'],
  }),
});

/** The resources with an address of their own. */
export function listResources({ byName }: ToolCatalogue): Resource[] {
  return [
    {
      uri: formulaUri,
      name: 'verdict formula',
      title: 'The formula of verdicts',
      description: 'How EffectivePriority is computed, with all constants.',
      mimeType: 'text/markdown',
    },
    ...(byName.has('get_posture_summary')
      ? [
          {
            uri: postureUri,
            name: 'posture',
            title: 'Posture',
            description: 'What get_posture_summary says of all projects. It can be subscribed to.',
            mimeType: json,
          },
          {
            uri: coverageUri,
            name: 'coverage',
            title: 'Coverage',
            description: 'What was searched in all projects, how old the feeds are, and what was not looked at.',
            mimeType: json,
          },
        ]
      : []),
  ];
}

export function listResourceTemplates(catalogue: ToolCatalogue): ResourceTemplateType[] {
  return familiesOf(catalogue).map(({ tools: _tools, read: _read, ...template }) => template);
}

function familiesOf({ byName }: ToolCatalogue): Family[] {
  return families.filter(({ tools }) => tools.every((tool) => byName.has(tool)));
}

/** Failures that the same request would meet again: who asks must ask for something else, or be somebody else. */
export const askersFault: ReadonlySet<string> = new Set([
  ...['unauthenticated', 'forbidden', 'plan_required', 'not_found', 'invalid_input'],
]);

/** Calls a tool as the caller of the request. */
export type Call = (entry: ToolEntry, input: unknown) => Promise<ToolOutcome>;

/**
 * Reads a resource by the tool that shows it, with the caller's own credential. Throws `ResourceNotFoundError` for a URI that is
 * none of ours, and `ProtocolError` with the tool's words where the tool fails.
 */
export async function readResource(catalogue: ToolCatalogue, uri: string, call: Call): Promise<ReadResourceResult> {
  if (uri === formulaUri) return { contents: [{ uri, mimeType: 'text/markdown', text: verdictFormula }] };
  const reading = readingOf(catalogue, uri);
  const entry = reading && catalogue.byName.get(reading.tool);
  if (reading === undefined || entry === undefined) throw new ResourceNotFoundError(uri);
  const outcome = await call(entry, reading.input);
  if (!('json' in outcome)) {
    const isAskers = askersFault.has(outcome.code);
    const code = isAskers ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, outcome.errors.join(' '));
  }
  const { part } = reading;
  const shown = part === undefined ? outcome.json : JSON.stringify(part(outcome.answer));
  if (shown === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: json, text: shown }] };
}

function readingOf(catalogue: ToolCatalogue, uri: string): Reading | undefined {
  const segments = segmentsOf(uri);
  if (segments === null) return undefined;
  const [kind, ...rest] = segments;
  if (kind === 'posture' && rest.length === 0) return { tool: 'get_posture_summary', input: {} };
  if (kind === 'coverage' && rest.length === 0) return coverageOf({});
  const family = familiesOf(catalogue).find(({ uriTemplate }) => uriTemplate.startsWith(`postern://${kind}/`));
  return family?.read(rest);
}

/** The decoded segments after `postern://`; null for another address. */
export function segmentsOf(uri: string): string[] | null {
  const [, path] = /^postern:\/\/([\w.~%:@/-]{1,1024})$/.exec(uri) ?? [];
  try {
    return path?.split('/').map(decodeURIComponent) ?? null;
  } catch {
    return null;
  }
}
