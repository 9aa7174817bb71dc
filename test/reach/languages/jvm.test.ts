import { describe, expect, test } from 'vitest';
import { jvmReader } from '../../../src/reach/languages/jvm/reader.js';
import { analyze as analyzeWith, places, symbols } from './analyzing.js';

const analyze = (packages: readonly string[], files: Readonly<Record<string, string>>) =>
  analyzeWith(jvmReader, 'Maven', packages, files);

describe('artifacts', () => {
  const spring = ['spring-core', 'spring-web', 'spring-webmvc', 'spring-context', 'spring-beans'].map(
    (artifact) => `org.springframework:${artifact}`,
  );
  test.each([
    ['com.fasterxml.jackson.databind.ObjectMapper', ['com.fasterxml.jackson.core:jackson-databind']],
    ['org.apache.logging.log4j.core.lookup.JndiLookup', ['org.apache.logging.log4j:log4j-core']],
    ['org.apache.logging.log4j.Logger', ['org.apache.logging.log4j:log4j-api']],
    ['org.springframework.web.bind.annotation.GetMapping', ['org.springframework:spring-web']],
    ['org.springframework.web.servlet.ModelAndView', ['org.springframework:spring-webmvc']],
    ['org.apache.commons.fileupload.FileItem', ['commons-fileupload:commons-fileupload']],
    ['io.netty.handler.codec.http.HttpRequest', ['io.netty:netty-codec-http']],
    ['com.acme.billing.Invoice', ['com.acme:billing']],
    ['java.util.List', []],
  ])('%s', async (name, artifacts) => {
    const known = [
      ...spring,
      'com.fasterxml.jackson.core:jackson-databind',
      'com.fasterxml.jackson.core:jackson-core',
      'org.apache.logging.log4j:log4j-core',
      'org.apache.logging.log4j:log4j-api',
      'commons-fileupload:commons-fileupload',
      'io.netty:netty-codec-http',
      'io.netty:netty-handler',
      'com.acme:billing',
      'com.acme:shipping',
    ];
    const found = await analyze(known, { 'A.java': `import ${name};` });
    expect(found.uses.map(({ packageName }) => packageName)).toEqual(artifacts);
    expect(found.unresolved).toBe(0);
  });
});

test('imports of every form, and classes by their whole names', async () => {
  const found = await analyze(['com.google.guava:guava', 'com.squareup.okhttp3:okhttp', 'org.yaml:snakeyaml'], {
    'A.java': [
      'package a;',
      '// import com.google.common.base.Strings;',
      'import static com.google.common.io.Files.createTempDir;',
      'import com.google.common.collect.*;',
      'class A { String s = "org.yaml.snakeyaml.Yaml"; Object o = new org.yaml.snakeyaml.Yaml(); }',
    ].join('\n'),
    'B.kt': 'import okhttp3.OkHttpClient as Client\nval s = "$name okhttp3"\n',
    'C.scala': 'import com.google.common.base.{Strings, Joiner => J}\n',
  });
  expect(places(found)).toEqual([
    'com.google.guava:guava A.java:3:1 prod',
    'com.google.guava:guava A.java:4:1 prod',
    'org.yaml:snakeyaml A.java:5:64 prod',
    'com.squareup.okhttp3:okhttp B.kt:1:1 prod',
    'com.google.guava:guava C.scala:1:1 prod',
    'com.google.guava:guava C.scala:1:1 prod',
  ]);
  expect(symbols(found, 'com.google.guava:guava')).toEqual([
    'com.google.common.base.Joiner',
    'com.google.common.base.Strings',
    'com.google.common.io.Files.createTempDir',
  ]);
  expect(found).toMatchObject({ parseErrors: 0, unresolved: 0 });
});

test('production reaches what a main class imports, and Spring what it scans', async () => {
  const files = {
    'src/main/java/app/App.java': 'package app; import lib.Used; class App { public static void main(String[] a) {} }',
    'src/main/java/lib/Used.java': 'package lib;\nimport okhttp3.Call;',
    'src/main/java/lib/Beside.java': 'package lib;\nimport okhttp3.Call;',
    'src/main/java/other/Dead.java': 'package other;\nimport okhttp3.Call;',
    'src/test/java/lib/UsedTest.java': 'package lib;\nimport okhttp3.Call;',
    'web/src/main/java/web/Web.java': 'package web;\n@SpringBootApplication class Web {}',
    'web/src/main/java/web/in/Controller.java': 'package web.in;\nimport okhttp3.Call;',
  };
  expect(places(await analyze(['com.squareup.okhttp3:okhttp'], files))).toEqual([
    'com.squareup.okhttp3:okhttp src/main/java/lib/Beside.java:2:1 prod reached',
    'com.squareup.okhttp3:okhttp src/main/java/lib/Used.java:2:1 prod reached',
    'com.squareup.okhttp3:okhttp src/main/java/other/Dead.java:2:1 prod',
    'com.squareup.okhttp3:okhttp src/test/java/lib/UsedTest.java:2:1 test',
    'com.squareup.okhttp3:okhttp web/src/main/java/web/in/Controller.java:2:1 prod reached',
  ]);
});

const guava = 'com.google.guava:guava';
const name = 'com.google.common.base.Thing';

describe('classes that text names', () => {
  test.each([
    ['reflection', 'src/main/java/A.java', `class A { Object a = Class.forName("${name}"); }`],
    ['an annotation', 'src/main/kotlin/A.kt', `@Uses("${name}" ) class A`],
    ['Groovy', 'src/main/groovy/A.groovy', `import ${name}`],
    ['beans of Spring', 'src/main/resources/beans.xml', `<bean class="${name}"/>`],
    ['a servlet', 'src/main/webapp/WEB-INF/web.xml', `<servlet-class>${name}</servlet-class>`],
    ['a unit of persistence', 'src/main/resources/META-INF/persistence.xml', `<provider>${name}</provider>`],
    ['a service', 'src/main/resources/META-INF/services/java.sql.Driver', `${name}\n`],
    ['settings', 'src/main/resources/application.yml', `a:\n  driver: ${name}\n`],
    ['properties', 'src/main/resources/application.properties', `a=${name}`],
    ['a page', 'src/main/webapp/a.jsp', `<%@ page import="${name}" %>`],
    ['a template', 'src/main/resources/templates/a.html', `<p th:text="\${T(${name}).x()}"></p>`],
  ])('%s', async (_, path, text) => {
    const found = await analyze([guava], { [path]: text });
    expect(found.uses.map(({ packageName, site }) => `${packageName} ${site.file} ${site.role}`)).toEqual([
      `${guava} ${path} prod`,
    ]);
  });

  test.each([
    ['a comment', 'src/main/java/A.java', `class A { /* "${name}" */ } // "${name}"`],
    ['a setting of tests', 'src/test/resources/application.yml', `a: ${name}`],
    ['a class of the platform', 'src/main/resources/a.xml', '<a>java.util.logging.Logger</a>'],
  ])('not %s', async (_, path, text) => {
    expect((await analyze([guava], { [path]: text })).uses).toEqual([]);
  });
});

test('a name that only a run can say hides any artifact', async () => {
  const code = 'class A { Object a = Class.forName(name), b = Class.forName("x.Y"), c = loader.loadClass(n); }';
  expect((await analyze([guava], { 'A.java': code })).gaps).toEqual(
    ['Class.forName(…) of a computed name', 'loadClass(…) of a computed name'].map((detail) => ({
      kind: 'unknown_dynamic',
      file: 'A.java',
      line: 1,
      detail,
      hides: 'any',
    })),
  );
});

describe('artifacts that run because they are on the class path', () => {
  const dependency = (artifact: string, inner = '') =>
    `<dependency>\n<groupId>a.b</groupId>\n<artifactId>${artifact}</artifactId><version>1</version>${inner}</dependency>`;

  test.each([
    ['spring-boot-starter-web', true],
    ['tomcat-embed-core', true],
    ['postgresql', true],
    ['logback-classic', true],
    ['jackson-datatype-jsr310', true],
    ['flyway-core', true],
    ['ordinary-library', false],
  ])('%s: %s', async (artifact, isMentioned) => {
    const found = await analyze([`a.b:${artifact}`], {
      'pom.xml': `<project><dependencies>${dependency(artifact)}</dependencies></project>`,
      'A.java': 'class A {}',
    });
    expect(places(found)).toEqual(isMentioned ? [`a.b:${artifact} pom.xml:3:1 prod mention`] : []);
  });

  test('not those of tests; a lock file of Gradle counts too', async () => {
    const found = await analyze(['a.b:h2-jdbc', 'a.b:netty-codec', 'a.b:jetty-server'], {
      'pom.xml': `<project><dependencies>${dependency('h2-jdbc', '<scope>test</scope>')}</dependencies></project>`,
      'gradle.lockfile': 'a.b:netty-codec:1=runtimeClasspath\na.b:jetty-server:1=testRuntimeClasspath\nempty=\n',
    });
    expect(places(found)).toEqual(['a.b:netty-codec gradle.lockfile:1:1 prod mention']);
  });

  test('versions that a parent manages', async () => {
    const managed = dependency('netty-codec').replace(
      '<dependency>',
      '<dependencyManagement><dependencies><dependency>',
    );
    const found = await analyze(['a.b:netty-codec'], {
      'pom.xml': `<project><artifactId>r</artifactId>${managed}</dependencies></dependencyManagement></project>`,
      'a/pom.xml': `<project><parent><artifactId>r</artifactId></parent><dependencies>${dependency('netty-codec').replace('<version>1</version>', '')}</dependencies></project>`,
    });
    expect(places(found)).toEqual(['a.b:netty-codec a/pom.xml:3:1 prod mention']);
  });
});

test.each([
  ['a comment without end', '/* import okhttp3.Call;', 1],
  ['a text block without end', 'String s = """\nimport okhttp3.Call;', 1],
  ['a name without end', `import ${'a.'.repeat(100_000)}b;`, 0],
  ['a chain without end', `x = ${'a.'.repeat(100_000)}B;`, 0],
  ['names in strings', '"a.b'.repeat(100_000), 0],
  ['names of objects', 'import constructor.__proto__;', 0],
])('hostile text: %s', async (_, text, parseErrors) => {
  expect(await analyze(['com.squareup.okhttp3:okhttp'], { 'A.java': text })).toMatchObject({ files: 1, parseErrors });
});

describe('what a class path loads by itself', () => {
  const pom = (name: string, dependencies: string, more = '') =>
    `<project><groupId>org.shop</groupId><artifactId>${name}</artifactId><version>1</version><dependencies>${dependencies}</dependencies>${more}</project>`;
  const dependency = (group: string, artifact: string) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>1</version></dependency>`;
  const boot = '<build><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build>';
  const wanted = `${dependency('org.webjars', 'jquery')}${dependency('com.acme', 'acme-spring-boot-starter')}${dependency('org.shop', 'core')}${dependency('org.slf4j', 'slf4j-simple')}`;
  const known = ['org.webjars:jquery', 'com.acme:acme-spring-boot-starter', 'org.shop:core', 'org.slf4j:slf4j-simple'];
  const kinds = async (files: Readonly<Record<string, string>>) => {
    const { uses } = await analyze(known, files);
    return Object.fromEntries(uses.map(({ packageName, site }) => [packageName, site.kind]));
  };

  test('modules of the project, and in an application of Spring Boot its starters and the files it serves', async () => {
    expect(await kinds({ 'pom.xml': pom('app', wanted, boot), 'core/pom.xml': pom('core', '') })).toEqual({
      'org.webjars:jquery': 'dynamic',
      'com.acme:acme-spring-boot-starter': 'dynamic',
      'org.shop:core': 'dynamic',
      'org.slf4j:slf4j-simple': 'mention',
    });
  });

  test('without an application of Spring Boot, and without the module, they only may be', async () => {
    expect(await kinds({ 'pom.xml': pom('app', wanted), 'src/test/resources/pom.xml': pom('core', '', boot) })).toEqual(
      {
        'org.webjars:jquery': 'mention',
        'com.acme:acme-spring-boot-starter': 'mention',
        'org.slf4j:slf4j-simple': 'mention',
      },
    );
  });

  test('a POM that cannot be read names no module', async () => {
    expect(await kinds({ 'pom.xml': pom('app', dependency('org.shop', 'core')), 'core/pom.xml': '<project' })).toEqual(
      {},
    );
  });
});
