import { scopeOfEnvironment } from './environment-scope.js';
import { normalisePython, requirementName } from './names.js';
import type { Reading } from './package-list.js';

/**
 * Packages that another one loads by itself where they are installed, as `host package,package`. They are extras of the host
 * or optional, so that no lock file but Poetry's names them. Source: the hosts' documentation.
 */
const companions = `
aiohttp aiodns,brotli,brotlicffi,cchardet,faust-cchardet|apache-airflow psycopg2,psycopg2-binary,mysqlclient|apscheduler sqlalchemy,redis,pymongo
beautifulsoup4 lxml,html5lib,chardet,cchardet,charset-normalizer,faust-cchardet|boto3 awscrt|botocore awscrt
apprise paho-mqtt,cryptography,slixmpp,gntp|celery setproctitle,redis,hiredis,kombu,sqlalchemy,msgpack,pymongo,boto3,pycurl,gevent,eventlet,django-celery-beat,django-celery-results,librabbitmq,cryptography,elasticsearch,couchbase,brotli,zstandard
channels daphne,channels-redis|channels-redis msgpack,cryptography,hiredis|dask distributed,pandas,numpy,bokeh,pyarrow
django psycopg,psycopg-binary,psycopg-c,psycopg-pool,psycopg2,psycopg2-binary,mysqlclient,pymysql,oracledb,cx-oracle,argon2-cffi,bcrypt,pillow,redis,hiredis,pymemcache,pylibmc,jinja2,pyyaml,tzdata,docutils,gdal,geoip2
django-allauth pyjwt,requests,requests-oauthlib,oauthlib,qrcode,fido2,python3-openid,python3-saml|django-compressor lxml,html5lib,beautifulsoup4|django-haystack elasticsearch,whoosh,pysolr
django-health-check psutil,redis,celery,boto3|django-import-export tablib,openpyxl,xlrd,xlwt,pyyaml|django-redis hiredis,redis|django-storages boto3,botocore,azure-storage-blob,azure-core,google-cloud-storage,apache-libcloud,dropbox,paramiko
djangorestframework markdown,pyyaml,django-filter,coreapi,coreschema,uritemplate,inflection,psycopg2,psycopg2-binary,django-guardian,pygments|djangorestframework-simplejwt cryptography,python-jose
drf-spectacular drf-spectacular-sidecar,uritemplate|drf-yasg coreapi,swagger-spec-validator|dramatiq redis,pika,pylibmc,watchdog,gevent
fastapi python-multipart,uvicorn,jinja2,itsdangerous,orjson,ujson,email-validator,pyyaml,pydantic-settings,pydantic-extra-types,fastapi-cli,httpx
fastapi-mail redis,httpx,aiosmtplib|fastapi-users pwdlib,passlib,python-multipart,makefun|flask asgiref,python-dotenv,watchdog|flask-caching redis,pymemcache,pylibmc|flask-limiter redis,pymemcache,pymongo
flask-mailman email-validator|flask-security email-validator,bcrypt,argon2-cffi,passlib,qrcode,webauthn,cryptography|flask-security-too email-validator,bcrypt,argon2-cffi,passlib,qrcode,webauthn,cryptography
flask-session redis,cachelib,pymemcache,pymongo,flask-sqlalchemy,msgspec|flask-socketio eventlet,gevent,gevent-websocket,simple-websocket,redis|flask-sqlalchemy psycopg2,psycopg2-binary,pymysql,mysqlclient|flask-wtf email-validator
fsspec s3fs,gcsfs,adlfs,paramiko,smbprotocol,aiohttp,requests|gevent dnspython|google-api-core grpcio,grpcio-status|google-auth cryptography,pyopenssl,aiohttp,requests,pyjwt
granian setproctitle,uvloop,rloop,winloop,watchfiles|graphene-django django-filter|grpcio grpcio-status,grpcio-health-checking,grpcio-reflection,protobuf|gunicorn gevent,eventlet,tornado,setproctitle,uvicorn,uvicorn-worker,greenlet
httpx h2,brotli,brotlicffi,zstandard,socksio,rich,click|huey redis,peewee,gevent|hypercorn h2,uvloop,trio,aioquic,winloop|jinja2 babel|jsonschema rfc3339-validator,fqdn,idna,isoduration,jsonpointer,uri-template,webcolors,rfc3986-validator,rfc3987
kombu redis,boto3,pycurl,msgpack,pymongo,librabbitmq,azure-servicebus,azure-storage-queue,azure-identity,confluent-kafka,sqlalchemy,kazoo,google-cloud-pubsub,grpcio,pyyaml|langchain langchain-openai,langchain-community,langchain-anthropic,langchain-text-splitters
lxml cssselect,html5lib,beautifulsoup4,lxml-html-clean|markdown pymdown-extensions,pygments|mlflow boto3,azure-storage-blob,google-cloud-storage,psycopg2,psycopg2-binary,pymysql
nltk numpy,scikit-learn,matplotlib|openpyxl lxml,et-xmlfile,pillow|opentelemetry-distro opentelemetry-exporter-otlp,opentelemetry-exporter-otlp-proto-grpc,opentelemetry-exporter-otlp-proto-http
pandas openpyxl,xlrd,xlsxwriter,odfpy,pyxlsb,python-calamine,pyarrow,fastparquet,tables,lxml,html5lib,beautifulsoup4,sqlalchemy,psycopg2,psycopg2-binary,pymysql,tabulate,matplotlib,jinja2,numexpr,bottleneck,numba,s3fs,gcsfs,fsspec,zstandard,scipy,pandas-gbq,blosc,xarray
passlib bcrypt,argon2-cffi,argon2-pure,cryptography,scrypt|peewee psycopg2,psycopg2-binary,pymysql,mysqlclient,psycopg|pony psycopg2,psycopg2-binary,pymysql,mysqlclient|pillow defusedxml,olefile,pillow-heif|polars pyarrow,pandas,numpy,fastexcel,openpyxl,xlsxwriter,connectorx,fsspec,deltalake,adbc-driver-manager,sqlalchemy
psycopg psycopg-binary,psycopg-c,psycopg-pool|pydantic email-validator,tzdata|pydantic-settings python-dotenv,pyyaml,tomli,boto3,azure-identity,azure-keyvault-secrets,google-cloud-secret-manager|pyjwt cryptography
pymongo dnspython,python-snappy,zstandard,pymongocrypt,pymongo-auth-aws,pyopenssl,requests,service-identity,kerberos|pymysql cryptography,pynacl|pysaml2 xmlsec|python-dateutil pytz|python-jose cryptography,pycryptodome,pycryptodomex,pycrypto
python-socketio aiohttp,redis,websocket-client,requests,msgpack|python-telegram-bot httpx,tornado,apscheduler,cachetools,cryptography,aiolimiter,h2|quart hypercorn,python-dotenv,pydantic-settings|qrcode pillow,pypng,lxml
redis hiredis,pyopenssl,cryptography,requests,redis-entraid,xxhash|requests pysocks,chardet,charset-normalizer,brotli,certifi|rq redis,hiredis|s3fs boto3,aiobotocore|sanic uvloop,httptools,ujson,websockets,sanic-ext|scikit-learn matplotlib,pandas
scrapy brotli,zstandard,boto3,botocore,google-cloud-storage,ipython,pillow|sentry-sdk sqlalchemy,django,flask,fastapi,starlette,celery,rq,httpx,asyncpg,pure-eval,executing,asttokens,opentelemetry-distro|slowapi redis|sqlmodel psycopg,psycopg2,psycopg2-binary,asyncpg,aiosqlite
social-auth-app-django python3-saml,python3-openid|social-auth-core python-jose,cryptography,python3-saml,python3-openid,lxml,xmlsec
sqlalchemy psycopg,psycopg-binary,psycopg-c,psycopg2,psycopg2-binary,psycopg2cffi,asyncpg,pg8000,mysqlclient,pymysql,aiomysql,asyncmy,mysql-connector-python,mariadb,oracledb,cx-oracle,pyodbc,pymssql,aioodbc,aiosqlite,pysqlcipher3,sqlcipher3-binary,greenlet,snowflake-sqlalchemy,sqlalchemy-bigquery,clickhouse-sqlalchemy,redshift-connector,sqlalchemy-redshift,duckdb-engine,geoalchemy2,sqlalchemy-cockroachdb,databricks-sql-connector
starlette python-multipart,jinja2,itsdangerous,pyyaml,httpx|statsmodels matplotlib|structlog rich,better-exceptions,colorama|taskiq taskiq-redis,redis,uvloop,orjson,watchdog|tornado pycurl,pycares,twisted|tortoise-orm asyncpg,aiosqlite,asyncmy,aiomysql,psycopg,asyncodbc
transformers torch,tensorflow,sentencepiece,accelerate,tiktoken,safetensors,protobuf,bitsandbytes,peft,sacremoses,einops,timm|twisted pyopenssl,service-identity,idna,h2,priority,pyserial,bcrypt,cryptography,appdirs
tzlocal tzdata|urllib3 brotli,brotlicffi,pysocks,h2,zstandard,pyopenssl,backports-zstd|uvicorn uvloop,httptools,websockets,wsproto,watchfiles,python-dotenv,pyyaml,colorama,a2wsgi,gunicorn|weasyprint brotli,fonttools,pyphen,zopfli|websockets python-socks
werkzeug watchdog,cryptography|whitenoise brotli|xarray netcdf4,h5netcdf,scipy,zarr,dask,bottleneck|zeep xmlsec,httpx
`;

const byHost = new Map(
  companions.split(/[|\n]/).flatMap((row) => {
    const [host, names] = row.split(' ');
    return host && names ? [[host, names.split(',')] as const] : [];
  }),
);

/** Extras that hold the packages of all others, those for development too. */
const everything = new Set(['all', 'full', 'complete', 'everything', 'all-extras']);

/**
 * Adds to each package, as its `peers`, what it loads by itself where that is installed: known companions, and what its
 * extras name. Only names that the same lock file has are listed. An extra for development gives none.
 *
 * @param extrasOf the requirements of a package by extra, where the lock file lists all of them
 */
export function withPythonPeers(
  { packages, ...rest }: Reading,
  extrasOf: (key: string) => Extras = () => ({}),
): Reading {
  const names = new Map(packages.map(({ name }) => [normalisePython(name), name]));
  const withPeers = packages.map((found) => {
    const host = normalisePython(found.name);
    const wanted = [...(byHost.get(host) ?? []), ...namesIn(extrasOf(found.key))];
    const peers = [...new Set(wanted.flatMap((name) => (name === host ? [] : (names.get(name) ?? []))))];
    return peers.length === 0 ? found : { ...found, peers };
  });
  return { packages: withPeers, ...rest };
}

type Extras = Readonly<Record<string, readonly string[]>> | undefined;

function namesIn(extras: Extras = {}): string[] {
  return Object.entries(extras).flatMap(([extra, wanted]) =>
    everything.has(extra) || scopeOfEnvironment(extra) === 'development'
      ? []
      : wanted.flatMap((requirement) => requirementName(requirement) ?? []).map(normalisePython),
  );
}
