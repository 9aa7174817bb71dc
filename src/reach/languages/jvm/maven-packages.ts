import { packageTable, remembering } from '../package-table.js';
import { wordSet } from '../word-set.js';

/**
 * Java packages whose artifact has a name that does not follow from theirs, as `package group:artifact,…`. Source: the
 * artifacts' documentation.
 */
const irregular = `
org.apache.log4j log4j:log4j,ch.qos.reload4j:reload4j,org.apache.logging.log4j:log4j-1.2-api
org.apache.logging.log4j org.apache.logging.log4j:log4j-api|org.apache.logging.log4j.core org.apache.logging.log4j:log4j-core
org.slf4j org.slf4j:slf4j-api|ch.qos.logback.classic ch.qos.logback:logback-classic|ch.qos.logback.core ch.qos.logback:logback-core
com.google.common com.google.guava:guava|com.google.gson com.google.code.gson:gson|com.google.inject com.google.inject:guice|com.google.protobuf com.google.protobuf:protobuf-java
com.fasterxml.jackson.databind com.fasterxml.jackson.core:jackson-databind|com.fasterxml.jackson.core com.fasterxml.jackson.core:jackson-core|com.fasterxml.jackson.annotation com.fasterxml.jackson.core:jackson-annotations
com.fasterxml.jackson.dataformat.xml com.fasterxml.jackson.dataformat:jackson-dataformat-xml|com.fasterxml.jackson.dataformat.yaml com.fasterxml.jackson.dataformat:jackson-dataformat-yaml|com.fasterxml.jackson.datatype.jsr310 com.fasterxml.jackson.datatype:jackson-datatype-jsr310
org.codehaus.jackson org.codehaus.jackson:jackson-mapper-asl,org.codehaus.jackson:jackson-core-asl
org.apache.commons.lang commons-lang:commons-lang|org.apache.commons.lang3 org.apache.commons:commons-lang3|org.apache.commons.io commons-io:commons-io,org.apache.commons:commons-io
org.apache.commons.collections commons-collections:commons-collections|org.apache.commons.collections4 org.apache.commons:commons-collections4|org.apache.commons.fileupload commons-fileupload:commons-fileupload
org.apache.commons.codec commons-codec:commons-codec|org.apache.commons.beanutils commons-beanutils:commons-beanutils|org.apache.commons.logging commons-logging:commons-logging|org.apache.commons.cli commons-cli:commons-cli
org.apache.commons.httpclient commons-httpclient:commons-httpclient|org.apache.commons.net commons-net:commons-net|org.apache.commons.digester commons-digester:commons-digester|org.apache.commons.dbcp commons-dbcp:commons-dbcp
org.apache.commons.text org.apache.commons:commons-text|org.apache.commons.compress org.apache.commons:commons-compress|org.apache.commons.csv org.apache.commons:commons-csv|org.apache.commons.pool2 org.apache.commons:commons-pool2
org.apache.http org.apache.httpcomponents:httpclient,org.apache.httpcomponents:httpcore|org.apache.hc org.apache.httpcomponents.client5:httpclient5,org.apache.httpcomponents.core5:httpcore5
org.apache.velocity org.apache.velocity:velocity-engine-core,org.apache.velocity:velocity,velocity:velocity|org.apache.struts2 org.apache.struts:struts2-core|com.opensymphony.xwork2 org.apache.struts:struts2-core,org.apache.struts.xwork:xwork-core
org.apache.poi.xssf org.apache.poi:poi-ooxml|org.apache.poi org.apache.poi:poi|org.apache.pdfbox org.apache.pdfbox:pdfbox|org.apache.shiro org.apache.shiro:shiro-core|org.apache.tomcat org.apache.tomcat.embed:tomcat-embed-core
org.apache.kafka.clients org.apache.kafka:kafka-clients|org.apache.xalan xalan:xalan|org.apache.xerces xerces:xercesImpl|org.apache.ibatis org.mybatis:mybatis|org.apache.thrift org.apache.thrift:libthrift|org.apache.axis axis:axis
org.junit junit:junit,org.junit.vintage:junit-vintage-engine|org.junit.jupiter org.junit.jupiter:junit-jupiter-api,org.junit.jupiter:junit-jupiter|org.junit.jupiter.params org.junit.jupiter:junit-jupiter-params,org.junit.jupiter:junit-jupiter|junit junit:junit
org.mockito org.mockito:mockito-core,org.mockito:mockito-all|org.assertj org.assertj:assertj-core|org.hamcrest org.hamcrest:hamcrest,org.hamcrest:hamcrest-core,org.hamcrest:hamcrest-all|org.testng org.testng:testng|io.restassured io.rest-assured:rest-assured
lombok org.projectlombok:lombok|okhttp3 com.squareup.okhttp3:okhttp|okio com.squareup.okio:okio|retrofit2 com.squareup.retrofit2:retrofit|com.squareup.moshi com.squareup.moshi:moshi
io.jsonwebtoken io.jsonwebtoken:jjwt,io.jsonwebtoken:jjwt-api|com.auth0.jwt com.auth0:java-jwt|org.yaml.snakeyaml org.yaml:snakeyaml|org.json org.json:json|org.json.simple com.googlecode.json-simple:json-simple|net.minidev.json net.minidev:json-smart
com.thoughtworks.xstream com.thoughtworks.xstream:xstream|org.dom4j org.dom4j:dom4j,dom4j:dom4j|org.jdom org.jdom:jdom|org.jdom2 org.jdom:jdom2|nu.xom xom:xom|org.jsoup org.jsoup:jsoup|com.jayway.jsonpath com.jayway.jsonpath:json-path
javax.servlet javax.servlet:javax.servlet-api,javax.servlet:servlet-api|jakarta.servlet jakarta.servlet:jakarta.servlet-api|javax.persistence javax.persistence:javax.persistence-api|jakarta.persistence jakarta.persistence:jakarta.persistence-api
javax.validation javax.validation:validation-api|javax.mail com.sun.mail:javax.mail,javax.mail:mail|javax.inject javax.inject:javax.inject|org.hibernate.validator org.hibernate.validator:hibernate-validator,org.hibernate:hibernate-validator|org.hibernate org.hibernate:hibernate-core,org.hibernate.orm:hibernate-core
com.mysql mysql:mysql-connector-java,com.mysql:mysql-connector-j|org.postgresql org.postgresql:postgresql|org.h2 com.h2database:h2|org.mariadb.jdbc org.mariadb.jdbc:mariadb-java-client|org.sqlite org.xerial:sqlite-jdbc|com.zaxxer.hikari com.zaxxer:HikariCP
redis.clients.jedis redis.clients:jedis|io.lettuce.core io.lettuce:lettuce-core|com.mongodb org.mongodb:mongodb-driver-sync,org.mongodb:mongo-java-driver|org.bson org.mongodb:bson|com.rabbitmq.client com.rabbitmq:amqp-client
com.alibaba.fastjson com.alibaba:fastjson|com.alibaba.fastjson2 com.alibaba.fastjson2:fastjson2|com.alibaba.druid com.alibaba:druid|cn.hutool cn.hutool:hutool-all|org.bouncycastle org.bouncycastle:bcprov-jdk18on,org.bouncycastle:bcprov-jdk15on
org.springframework.boot org.springframework.boot:spring-boot|org.springframework.boot.autoconfigure org.springframework.boot:spring-boot-autoconfigure|org.springframework.web.servlet org.springframework:spring-webmvc|org.springframework.web.reactive org.springframework:spring-webflux
org.springframework.web org.springframework:spring-web|org.springframework.http org.springframework:spring-web|org.springframework.stereotype org.springframework:spring-context|org.springframework.util org.springframework:spring-core|org.springframework.core org.springframework:spring-core
org.springframework.jdbc org.springframework:spring-jdbc|org.springframework.dao org.springframework:spring-tx|org.springframework.transaction org.springframework:spring-tx|org.springframework.scheduling org.springframework:spring-context|org.springframework.validation org.springframework:spring-context
org.springframework.expression org.springframework:spring-expression|org.springframework.beans org.springframework:spring-beans|org.springframework.security org.springframework.security:spring-security-core|org.springframework.security.config org.springframework.security:spring-security-config|org.springframework.security.web org.springframework.security:spring-security-web
org.springframework.data.jpa org.springframework.data:spring-data-jpa|org.springframework.data org.springframework.data:spring-data-commons|kotlin org.jetbrains.kotlin:kotlin-stdlib|kotlinx.coroutines org.jetbrains.kotlinx:kotlinx-coroutines-core,org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm|com.nulabinc.zxcvbn com.nulab-inc:zxcvbn|org.jose4j org.bitbucket.b_c:jose4j|org.apache.xml.resolver xml-resolver:xml-resolver|ua_parser com.github.ua-parser:uap-java|javassist org.javassist:javassist,javassist:javassist|picocli info.picocli:picocli
kotlinx.serialization org.jetbrains.kotlinx:kotlinx-serialization-core,org.jetbrains.kotlinx:kotlinx-serialization-json
`;

/** Words in artifact names that say nothing about the package. */
const generic = wordSet('java jdk jvm api core all starter client impl android kotlin lib sdk jakarta');

/** Classes of the platform: they come from no artifact. */
export const platformClass =
  /^(?:java|jdk|sun|com\.sun\.(?:net|security|jndi|management)|kotlin|scala|groovy|javax\.(?:crypto|net|sql|xml|naming|management|script|security|swing|imageio|print|sound|tools|annotation\.processing|lang)|org\.(?:w3c\.dom|xml\.sax|ietf\.jgss))(?:\.|$)/;

/**
 * Finds the artifacts that a class comes from, among those that the lock files name. Where the table lists its package, the
 * answer is certain. Where the group is the beginning of the package, or the package holds all words of the artifact, it is
 * likely. In large groups several fit equally well: then all are answered, since to miss the right one would be worse.
 */
export function mavenPackageFinder(packageNames: readonly string[]): (className: string) => readonly string[] {
  const known = new Set(packageNames);
  const table = packageTable(irregular, (artifact) => (known.has(artifact) ? artifact : undefined));
  const candidates = packageNames.map((name) => {
    const [group = '', artifact = ''] = name.split(':');
    const words = artifact
      .toLowerCase()
      .split(/[-_.]/)
      .filter((word) => word !== '' && !/^\d/.test(word));
    return { name, group: group.split('.'), words, specific: words.filter((word) => !generic.has(word)) };
  });
  const find = (packageName: string): readonly string[] => {
    const parts = packageName.split('.');
    for (let length = parts.length; length > 0; length--) {
      const found = table.get(parts.slice(0, length).join('.'));
      if (found !== undefined && found.length > 0) return found;
    }
    let best: string[] = [];
    let bestScore = 0;
    for (const { name, group, words, specific } of candidates) {
      const isInGroup = group.length > 1 && group.every((part, index) => part === parts[index]);
      const isOfVendor = group.length > 1 && group.slice(0, 2).every((part, index) => part === parts[index]);
      const fitting = words.filter((word) => parts.includes(word)).length;
      const hasAll = specific.length > 0 && specific.every((word) => parts.includes(word));
      if (!isInGroup && !hasAll) continue;
      if (!isInGroup && !isOfVendor && specific.length < 2) continue;
      const score = 1 + (isInGroup ? 4 * group.length : 0) + 2 * fitting - (words.length - fitting);
      if (score > bestScore) {
        best = [name];
        bestScore = score;
      } else if (score === bestScore) best.push(name);
    }
    return best;
  };
  const remembered = remembering(find);
  return (className) =>
    remembered(
      className
        .split('.')
        .filter((part) => /^[a-z_]/.test(part))
        .join('.'),
    );
}
