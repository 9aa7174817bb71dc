import type { IncomingMessage } from 'node:http';
import type { Groups } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import { type Kept, keep } from '../../shared/kept.js';
import { HttpError } from '../http/http-errors.js';
import { knownCaller, readsAlone } from './known-caller.js';
import { createToolCatalogue, isBeyond, type ToolCatalogue, type ToolEntry } from './tool-catalogue.js';

/** The toolsets of the groups that agents know by another name. Every other group is a toolset of its own name. */
const domains: Readonly<Record<string, string>> = {
  sast: 'code',
  dast: 'running_app',
  groups: 'projects',
  techStack: 'packages',
  vex: 'reachability',
};

/** What it takes to see what is wrong, to judge it and to note that it was seen. */
export const triage: ReadonlySet<string> = new Set([
  ...['list_projects', 'list_alerts', 'get_alert', 'acknowledge_alert', 'list_alert_history'],
  ...['list_reachability_verdicts', 'get_reachability_verdict', 'check_package', 'find_exposed'],
  ...['get_findings_diff', 'get_top_risks', 'get_posture_summary', 'get_fix_plan'],
]);

/** A name that is no toolset. The message names those that are, and never repeats what was asked. */
export class UnknownToolset extends Error {
  override readonly name = 'UnknownToolset';
}

/** The tools that clients may choose from. */
export interface Toolsets {
  /** Exactly the specification's tools. */
  readonly standard: ToolCatalogue;
  /** The names of toolsets, for messages. */
  readonly names: readonly string[];
  /**
   * The tools of any of the toolsets, in the definitions' order. No name means the specification's tools. `readonly` takes
   * away what writes. The same combination is the same object while it is kept. Throws `UnknownToolset`.
   */
  choose(names: readonly string[]): ToolCatalogue;
  /** Why a choice has no tool of this name, and how to get it. */
  missing(tool: string): string;
}

/** Toolsets over all definitions. Schemas are made once; a choice only selects. */
export function createToolsets(groups: Groups = procedures): Toolsets {
  const all = createToolCatalogue(groups, () => true);
  const entries = [...all.byName.values()];
  const holds = new Map<string, (entry: ToolEntry) => boolean>([
    ['default', ({ procedure }) => !isBeyond(procedure)],
    ['all', () => true],
    ['triage', ({ procedure }) => triage.has(procedure.tool ?? '')],
    ...entries.map((entry) => [domainOf(entry), (other: ToolEntry) => domainOf(other) === domainOf(entry)] as const),
  ]);
  const names = [...holds.keys(), 'readonly'];
  const kept: Kept<ToolCatalogue> = keep('toolCatalogues');

  function select(chosen: readonly string[]): ToolCatalogue {
    const sets = chosen.flatMap((name) => holds.get(name) ?? []);
    const wanted = sets.length > 0 ? sets : [holds.get('default') ?? (() => false)];
    const readsOnly = chosen.includes('readonly');
    const isChosen = (entry: ToolEntry) =>
      (!readsOnly || entry.procedure.access === 'read') && wanted.some((isHeld) => isHeld(entry));
    const byName = new Map([...all.byName].filter(([, entry]) => isChosen(entry)));
    return { byName, tools: all.tools.filter(({ name }) => byName.has(name)) };
  }

  const standard = select([]);
  return {
    standard,
    names,
    choose(asked) {
      if (asked.length === 0) return standard;
      if (asked.some((name) => !names.includes(name)))
        throw new UnknownToolset(`there is no such toolset: the toolsets are ${names.join(', ')}`);
      const chosen = names.filter((name) => asked.includes(name));
      const key = chosen.join();
      const catalogue = kept.get(key) ?? select(chosen);
      kept.set(key, catalogue);
      return catalogue;
    },
    missing(tool) {
      const entry = all.byName.get(tool);
      if (entry === undefined) return 'there is no tool of this name: tools/list names them';
      return `the chosen toolsets do not hold this tool: it is in ${domainOf(entry)} and all, and readonly leaves out what writes`;
    },
  };
}

/** The names in a list separated by commas, in any case. */
export function readToolsetNames(list: string): string[] {
  return list.split(',').flatMap((name) => name.trim().toLowerCase() || []);
}

function domainOf({ path }: ToolEntry): string {
  const [group = ''] = path.split('.');
  return domains[group] ?? group;
}

/**
 * The tools that a request gets: those that it asks for, by `?toolsets=`, `X-MCP-Toolsets` and `X-MCP-Readonly`
 * together, without those that its token's scope does not cover. A proxy that adds `readonly` is not overruled by an
 * address. Throws `HttpError` 400 for an unknown name, whatever the request: an agent whose configuration is wrong must
 * not work with other tools than its owner chose.
 */
export function askedToolsets(toolsets: Toolsets, req: IncomingMessage): ToolCatalogue {
  return choose(toolsets, [...askedNames(req), ...(readsAlone(knownCaller(req)) ? ['readonly'] : [])]);
}

/** The same, whatever the token's scope. */
export function toolsetsOfAnyScope(toolsets: Toolsets, req: IncomingMessage): ToolCatalogue {
  return choose(toolsets, askedNames(req));
}

const nothing: readonly string[] = [];

function askedNames({ url = '', headers }: IncomingMessage): readonly string[] {
  const { 'x-mcp-toolsets': header, 'x-mcp-readonly': readonly } = headers;
  const at = url.indexOf('?');
  // Nearly every request has this form.
  if (header === undefined && readonly === undefined && at === -1) return nothing;
  const lists = at === -1 ? [] : new URLSearchParams(url.slice(at)).getAll('toolsets');
  const names = [...lists, header ?? ''].flatMap((list) => readToolsetNames(String(list)));
  return isOn(readonly) ? [...names, 'readonly'] : names;
}

function isOn(header: string | string[] | undefined): boolean {
  const text = String(header ?? 'false').toLowerCase();
  if (text !== 'true' && text !== 'false') throw new HttpError(400, 'X-MCP-Readonly takes true or false');
  return text === 'true';
}

function choose(toolsets: Toolsets, names: readonly string[]): ToolCatalogue {
  try {
    return toolsets.choose(names);
  } catch (error) {
    if (error instanceof UnknownToolset) throw new HttpError(400, error.message);
    throw error;
  }
}
