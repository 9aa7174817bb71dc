import { describe, expect, test } from 'vitest';
import { walkTree } from '../../../../src/reach/analysis/tree.js';
import { readTreeLockfiles } from '../../../../src/reach/analysis/tree-lockfiles.js';
import { folderWith } from '../../folder.js';
import { readFrom, scopes } from '../reading.js';

describe('pom.xml', () => {
  const dependency = (name: string, inner: string) =>
    `<dependency><groupId>org.x</groupId><artifactId>${name}</artifactId>${inner}</dependency>`;

  test('takes literal versions, its own properties and what it manages; the rest is told', async () => {
    const read = await readFrom({
      'pom.xml': `<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.x</groupId><version>7.0</version></parent>
  <properties><v.a>1.0</v.a><v.b>\${v.a}.1</v.b><v.c>\${v.c}</v.c></properties>
  <dependencyManagement><dependencies>
    ${dependency('managed', '<version>3.0</version><scope>test</scope>')}
    ${dependency('unused', '<version>4.0</version>')}
  </dependencies></dependencyManagement>
  <dependencies>
    ${dependency('plain', '<version>\n 1.2.3 </version><exclusions><exclusion><artifactId>*</artifactId></exclusion></exclusions>')}
    ${dependency('nested', '<version>${v.b}</version><optional>true</optional>')}
    ${dependency('own', '<version><![CDATA[${project.version}]]></version><scope>provided</scope>')}
    ${dependency('managed', '')}
    ${dependency('circle', '<version>${v.c}</version>')}
    ${dependency('range', '<version>[1.0,2.0)</version>')}
    ${dependency('inherited', '')}
    ${dependency('file', '<version>1</version><scope>system</scope>')}
  </dependencies>
  <build><plugins><plugin><dependencies>${dependency('plugin', '<version>1</version>')}</dependencies></plugin></plugins></build>
</project>`,
    });
    expect(scopes(read)).toEqual({
      'org.x:plain@1.2.3': 'runtime',
      'org.x:nested@1.0.1': 'optional',
      'org.x:own@7.0': 'runtime',
      'org.x:managed@3.0': 'development',
    });
    expect(read.skipped).toEqual([
      { reason: 'has a property that is not set in the file', count: 1 },
      { reason: 'is a range, not one version', count: 1 },
      { reason: 'has no version', count: 1 },
      { reason: 'comes from a folder', count: 1 },
    ]);
    expect(read.unread.map(({ name, reason, stated }) => [name, reason, stated])).toEqual([
      ['org.x:circle', 'property', '${v.c}'],
      ['org.x:range', 'range', '[1.0,2.0)'],
      ['org.x:inherited', 'no_version', null],
      ['org.x:file', 'path', '1'],
      [null, 'direct_only', null],
    ]);
  });

  test('versions come from the parents in the project', async () => {
    const { lockfiles, faults } = await readTreeLockfiles(
      await walkTree(
        folderWith({
          'pom.xml': `<project><artifactId>root</artifactId><properties><v>2.0</v></properties><dependencyManagement><dependencies>
${dependency('managed', '<version>${v}</version>')}${dependency('tests', '<version>1</version><scope>test</scope>')}
</dependencies></dependencyManagement></project>`,
          'a/pom.xml': '<project><parent><artifactId>root</artifactId></parent><artifactId>a</artifactId></project>',
          'a/b/pom.xml': `<project><parent><artifactId>a</artifactId></parent><dependencies>
${dependency('managed', '')}${dependency('tests', '')}${dependency('unknown', '')}</dependencies></project>`,
          'c/pom.xml': `<project><parent><artifactId>elsewhere</artifactId></parent><dependencies>
${dependency('managed', '')}</dependencies></project>`,
        }),
      ),
    );
    const found = lockfiles.flatMap(({ path, packages }) =>
      packages.map((each) => [path, each.name, each.version, each.scope]),
    );
    expect(found).toEqual([
      ['a/b/pom.xml', 'org.x:managed', '2.0', 'runtime'],
      ['a/b/pom.xml', 'org.x:tests', '1', 'development'],
    ]);
    expect(faults).toEqual([
      'a/b/pom.xml: not judged are 1 of which each has no version',
      'c/pom.xml: not judged are 1 of which each has no version',
    ]);
  });

  test.each([
    ['entities', '<!DOCTYPE p [<!ENTITY a "&b;&b;"><!ENTITY b "xxxx">]><project>&a;</project>', 'has a document type'],
    ['an entity that is not XML’s own', '<project>&a;</project>', 'is not XML'],
    ['elements without end', '<project>'.repeat(100_000), 'nested deeper than the 64 levels'],
    ['another document', '<html></html>', 'expected the element project'],
    ['a cut file', '<project><dependencies>', 'is not XML'],
  ])('%s', async (_, text, message) => {
    await expect(readFrom({ 'pom.xml': text })).rejects.toThrow(message);
  });
});
