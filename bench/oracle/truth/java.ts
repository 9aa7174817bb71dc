import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, productionFiles } from '../production-files.js';
import type { TruthFinder } from './truth.js';

/** Packages of Java by the artifacts that hold them, as their own documentation imports them. Written by hand. */
const packagesOf: Readonly<Record<string, readonly string[]>> = {
  'org.projectlombok:lombok': [],
  'com.google.guava:guava': ['com.google.common'],
  'org.apache.commons:commons-lang3': ['org.apache.commons.lang3'],
  'org.apache.commons:commons-collections4': ['org.apache.commons.collections4'],
  'org.apache.commons:commons-compress': ['org.apache.commons.compress'],
  'org.apache.commons:commons-text': ['org.apache.commons.text'],
  'commons-io:commons-io': ['org.apache.commons.io'],
  'commons-codec:commons-codec': ['org.apache.commons.codec'],
  'com.google.code.gson:gson': ['com.google.gson'],
  'cn.hutool:hutool-all': ['cn.hutool'],
  'io.jsonwebtoken:jjwt': ['io.jsonwebtoken'],
  'io.jsonwebtoken:jjwt-api': ['io.jsonwebtoken'],
  'org.jsoup:jsoup': ['org.jsoup'],
  'com.thoughtworks.xstream:xstream': ['com.thoughtworks.xstream'],
  'com.fasterxml.jackson.core:jackson-databind': ['com.fasterxml.jackson.databind'],
  'com.fasterxml.jackson.core:jackson-core': ['com.fasterxml.jackson.core'],
  'com.fasterxml.jackson.core:jackson-annotations': ['com.fasterxml.jackson.annotation'],
  'org.json:json': ['org.json'],
  'org.mapstruct:mapstruct': ['org.mapstruct'],
  'io.micrometer:micrometer-core': ['io.micrometer.core'],
  'org.mybatis:mybatis': ['org.apache.ibatis'],
  'com.github.pagehelper:pagehelper-spring-boot-starter': ['com.github.pagehelper'],
  'com.aliyun.oss:aliyun-sdk-oss': ['com.aliyun.oss'],
  'io.minio:minio': ['io.minio'],
  'com.zaxxer:HikariCP': ['com.zaxxer.hikari'],
  'org.liquibase:liquibase-core': ['liquibase'],
  'us.springett:alpine-server': ['alpine.server'],
  'org.cyclonedx:cyclonedx-core-java': ['org.cyclonedx'],
  'com.github.package-url:packageurl-java': ['com.github.packageurl'],
  'org.apache.httpcomponents:httpclient': ['org.apache.http'],
  'org.quartz-scheduler:quartz': ['org.quartz'],
};

/** What the class path of a running Spring application loads by its configuration, although no code imports it. */
const loadedByName =
  /^org\.springframework\.boot:spring-boot-starter(?!-test)|^(?:com\.mysql:mysql-connector-j|mysql:mysql-connector-java|org\.postgresql:postgresql|com\.h2database:h2)$/;

/** Import lines of Java and Kotlin: an artifact is used if its group or a known package of it begins one. */
export const javaTruth: TruthFinder = async (folder, listed) => {
  const used = new Map<string, string>();
  const imports = new Map<string, string>();
  for (const file of productionFiles(folder, /\.(?:java|kt)$/)) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^import\s+(?:static\s+)?([\w.]+)/gm)) {
      if (!imports.has(name)) imports.set(name, file);
    }
  }
  const groups = new Map<string, number>();
  for (const name of listed.keys()) {
    const group = name.split(':')[0] ?? '';
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  const poms = filesOf(folder)
    .filter((file) => /(?:^|\/)pom\.xml$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
  for (const [name] of listed) {
    const [group = '', artifact = ''] = name.split(':');
    // A group with several artifacts does not say which of them has the package.
    const prefixes = packagesOf[name] ?? (groups.get(group) === 1 ? [group] : []);
    const found = [...imports].find(([each]) => prefixes.some((prefix) => each.startsWith(`${prefix}.`)));
    if (found !== undefined) used.set(name, `${found[1]} imports ${found[0]}`);
    else if (loadedByName.test(name)) {
      const place = poms.find(({ text }) => declaresForRunning(text, artifact));
      if (place !== undefined) used.set(name, `${place.file}: on the class path of the running application`);
    }
  }
  return { ecosystem: 'Maven', used };
};

function declaresForRunning(pom: string, artifact: string): boolean {
  return Array.from(pom.matchAll(/<dependency>([\s\S]*?)<\/dependency>/g)).some(
    ([, text = '']) =>
      text.includes(`<artifactId>${artifact}</artifactId>`) && !/<scope>(?:test|provided)<\/scope>/.test(text),
  );
}
