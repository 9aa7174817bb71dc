import type { ImageRef } from './image-ref.js';

/**
 * Docker's official images, which are made to be bases (docker-library/official-images, `library/`, August 2026; and centos,
 * which is no longer built). A list is needed, because an image built locally as `shop` is also called
 * `docker.io/library/shop`.
 */
const official = wordsOf(`
  adminer aerospike almalinux alpine alt amazoncorretto amazonlinux api-firewall arangodb archlinux azul-zulu
  backdrop bash bonita buildpack-deps busybox caddy cassandra centos chronograf cirros clearlinux clefos
  clickhouse clojure composer convertigo couchbase couchdb crate dart debian docker drupal eclipse-mosquitto
  eclipse-temurin eggdrop elasticsearch elixir emqx erlang espocrm fedora flink fluentd friendica gazebo gcc
  geonetwork ghost golang gradle groovy haproxy haskell haxe hello-world hitch httpd hylang ibm-semeru-runtimes
  ibmjava influxdb irssi jetty joomla jruby julia kapacitor kibana kong krakend lightstreamer liquibase logstash
  mageia mariadb matomo maven mediawiki memcached mongo mongo-express monica mysql nats neo4j neurodebian
  nextcloud nginx nim node notary odoo open-liberty openjdk oraclelinux orientdb percona perl photon php
  php-zendserver phpmyadmin plone postfixadmin postgres pypy python r-base rabbitmq rakudo-star redis redmine
  registry rethinkdb rocket.chat rockylinux ros ruby rust sapmachine satosa silverpeas solr sonarqube spark spiped
  storm swift swipl teamspeak telegraf tomcat tomee traefik ubuntu unit varnish websphere-liberty wordpress xwiki
  yourls znc zookeeper
`);

/** Those of them that contain a system or a language but no application: each may replace another base. */
const plain = wordsOf(`
  almalinux alpine amazoncorretto amazonlinux archlinux azul-zulu buildpack-deps busybox centos debian
  eclipse-temurin elixir erlang fedora gcc golang haskell ibm-semeru-runtimes julia node openjdk oraclelinux perl
  photon php pypy python r-base rockylinux ruby rust sapmachine swift ubuntu
`);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

export function isOfficial(ref: ImageRef): boolean {
  return official.has(officialName(ref) ?? '');
}

/** Whether it is an official image without an application. */
export function isPlainBase(ref: ImageRef): boolean {
  return plain.has(officialName(ref) ?? '');
}

function officialName({ registry, path }: ImageRef): string | null {
  return registry === 'docker.io' && path.startsWith('library/') ? path.slice('library/'.length) : null;
}
