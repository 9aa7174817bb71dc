import type { UnreadReason } from '../../../procedures/unread.js';
import { PackageList, type Reading, type Scope } from '../package-list.js';
import { LockfileError, type Source, unlessInvalid } from '../source.js';
import { type Element, elementsAt, parseXml, textAt } from './xml.js';

/** Levels of properties within properties; more mean a circle. */
const maxPropertyDepth = 8;
const maxTextLength = 1000;

/** Parents of parents that are read. */
const maxParents = 8;

/**
 * pom.xml (https://maven.apache.org/pom.html): the direct dependencies, with a literal version or one from the properties and
 * the dependencyManagement of the file and of its parents in the project. No file lists the transitive dependencies of Maven.
 */
export async function readPom(source: Source): Promise<Reading> {
  const project = parseXml(source);
  if (project.name !== 'project') throw new LockfileError(source.file, 'is not a POM: expected the element project');
  const lineage = [...(await parentsOf(source, project)).reverse(), project];
  const expand = expander(lineage);
  const managed = new Map<string, Element>();
  for (const each of lineage.flatMap((pom) => elementsAt(pom, 'dependencyManagement', 'dependencies', 'dependency'))) {
    managed.set(nameOf(each, expand), each);
  }
  const list = new PackageList(source.file, 'Maven');
  const declared = [
    ...elementsAt(project, 'dependencies', 'dependency'),
    ...elementsAt(project, 'profiles', 'profile', 'dependencies', 'dependency'),
  ];
  for (const each of declared) {
    const name = nameOf(each, expand);
    const version = textAt(each, 'version') ?? textAt(managed.get(name) ?? each, 'version');
    const scope = textAt(each, 'scope') ?? textAt(managed.get(name) ?? each, 'scope');
    const expanded = version === undefined ? undefined : expand(version);
    const unread = (reason: UnreadReason) => list.unread({ name, reason, stated: expanded ?? null });
    if (scope === 'system') unread('path');
    else if (name.includes('${')) list.unread({ name: null, reason: 'property', stated: name });
    else if (/^:|:$/.test(name)) list.unread({ name: null, reason: 'bad_name', stated: name });
    else if (version === undefined) unread('no_version');
    else if (expanded?.includes('${')) unread('property');
    else if (/[[\](),]/.test(expanded ?? '')) unread('range');
    else {
      list.add({
        key: `${name}@${expanded}`,
        name,
        version: expanded,
        scope: scopeOf(scope, textAt(each, 'optional')),
        direct: true,
      });
    }
  }
  list.directOnly();
  return list.finish();
}

/**
 * The name of the artifact that a POM builds, `group:artifact`; null where it leaves a part to properties.
 *
 * @throws LockfileError where the file is no POM
 */
export function artifactOf(source: Source): string | null {
  const project = parseXml(source);
  const group = textAt(project, 'groupId') ?? textAt(project, 'parent', 'groupId');
  const artifact = textAt(project, 'artifactId');
  const isWhole = group !== undefined && artifact !== undefined && !`${group}${artifact}`.includes('${');
  return project.name === 'project' && isWhole ? `${group}:${artifact}` : null;
}

/**
 * The parents of a POM that lie in the project, the nearest first (https://maven.apache.org/pom.html#inheritance). One that
 * is not there, or cannot be read, ends the list: its versions are not known.
 */
async function parentsOf(source: Source, project: Element): Promise<Element[]> {
  const parents: Element[] = [];
  let from = source;
  let child = project;
  while (parents.length < maxParents) {
    const [named] = elementsAt(child, 'parent');
    const path = named === undefined ? '' : (textAt(named, 'relativePath') ?? '../pom.xml');
    const parent = path === '' ? null : await readParent(from, path);
    if (named === undefined || parent === null) break;
    // The path is a default that may lead to another project.
    if (textAt(parent.project, 'artifactId') !== textAt(named, 'artifactId')) break;
    parents.push(parent.project);
    from = parent.source;
    child = parent.project;
  }
  return parents;
}

async function readParent(from: Source, path: string): Promise<{ source: Source; project: Element } | null> {
  return unlessInvalid(async () => {
    const source = await from.readRelative(path.endsWith('.xml') ? path : `${path}/pom.xml`);
    return source && { source, project: parseXml(source) };
  }, null);
}

/** `provided` counts as runtime: the container brings the package, and the code runs with it. */
function scopeOf(scope: string | undefined, optional: string | undefined): Scope {
  if (scope === 'test') return 'development';
  return optional === 'true' ? 'optional' : 'runtime';
}

function nameOf(dependency: Element, expand: (text: string) => string): string {
  return `${expand(textAt(dependency, 'groupId') ?? '')}:${expand(textAt(dependency, 'artifactId') ?? '')}`;
}

/** Replaces `${name}` by the property of the last file that sets it; an unset one stays as it is. */
function expander(lineage: readonly Element[]): (text: string) => string {
  const properties = new Map<string, string>();
  for (const each of lineage.flatMap((pom) => elementsAt(pom, 'properties'))) {
    for (const property of each.children) properties.set(property.name, property.text.trim().slice(0, maxTextLength));
  }
  for (const project of lineage) addProjectFields(project, properties);
  return (text) => {
    let expanded = text;
    for (let depth = 0; depth < maxPropertyDepth && expanded.length <= maxTextLength; depth++) {
      const next = expanded.replaceAll(/\$\{([^{}]+)\}/g, (whole, name: string) => properties.get(name) ?? whole);
      if (next === expanded) break;
      expanded = next;
    }
    return expanded.slice(0, maxTextLength);
  };
}

function addProjectFields(project: Element, properties: Map<string, string>): void {
  for (const field of ['groupId', 'version', 'artifactId']) {
    const value = textAt(project, field) ?? textAt(project, 'parent', field);
    if (value === undefined) continue;
    properties.set(`project.${field}`, value);
    properties.set(`pom.${field}`, value);
  }
  const parentVersion = textAt(project, 'parent', 'version');
  if (parentVersion !== undefined) properties.set('project.parent.version', parentVersion);
}
