import { PackageList, type Reading, type Scope } from '../package-list.js';
import { LockfileError, type Source } from '../source.js';
import { type Element, elementsAt, parseXml, textAt } from './xml.js';

/** Properties within properties; more is a circle. */
const deepestProperty = 8;
const longestText = 1000;

/**
 * pom.xml (https://maven.apache.org/pom.html): what it asks for itself, with a literal version or one that its own
 * properties and dependencyManagement give. Maven's transitive dependencies stand in no file of the project.
 */
export async function readPom(source: Source): Promise<Reading> {
  const project = parseXml(source);
  if (project.name !== 'project') throw new LockfileError(source.file, 'is not a POM: expected the element project');
  const expand = expander(project);
  const managed = new Map<string, Element>();
  for (const each of elementsAt(project, 'dependencyManagement', 'dependencies', 'dependency')) {
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
    if (scope === 'system') list.skip('is a file of the project');
    else if (version === undefined) list.skip('has its version from a parent or an imported POM');
    else if (expanded?.includes('${')) list.skip('has its version from a property that the file does not set');
    else if (/[[\](),]/.test(expanded ?? '')) list.skip('is not pinned: its version is a range');
    else {
      list.add({
        key: `${name}@${expanded}`,
        name,
        version: expanded,
        scope: scopeOf(scope, textAt(each, 'optional')),
        direct: true,
        deprecated: null,
        dependencies: [],
      });
    }
  }
  return list.finish();
}

/** `provided` is runtime: the container brings it, and the code runs with it. */
function scopeOf(scope: string | undefined, optional: string | undefined): Scope {
  if (scope === 'test') return 'development';
  return optional === 'true' ? 'optional' : 'runtime';
}

function nameOf(dependency: Element, expand: (text: string) => string): string {
  return `${expand(textAt(dependency, 'groupId') ?? '')}:${expand(textAt(dependency, 'artifactId') ?? '')}`;
}

/** Puts the file's own properties in the place of `${name}`; what it does not set stays. */
function expander(project: Element): (text: string) => string {
  const properties = new Map<string, string>();
  for (const each of elementsAt(project, 'properties')) {
    for (const property of each.children) properties.set(property.name, property.text.trim().slice(0, longestText));
  }
  for (const field of ['groupId', 'version', 'artifactId']) {
    const own = textAt(project, field) ?? textAt(project, 'parent', field);
    if (own === undefined) continue;
    properties.set(`project.${field}`, own);
    properties.set(`pom.${field}`, own);
  }
  const parentVersion = textAt(project, 'parent', 'version');
  if (parentVersion !== undefined) properties.set('project.parent.version', parentVersion);
  return (text) => {
    let expanded = text;
    for (let depth = 0; depth < deepestProperty && expanded.length <= longestText; depth++) {
      const next = expanded.replaceAll(/\$\{([^{}]+)\}/g, (whole, name: string) => properties.get(name) ?? whole);
      if (next === expanded) break;
      expanded = next;
    }
    return expanded.slice(0, longestText);
  };
}
