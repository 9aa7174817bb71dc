import { groupBy } from '../../lockfiles/group-by.js';
import { normalisePython } from '../../lockfiles/names.js';
import { packageTable, remembering } from '../package-table.js';
import { wordSet } from '../word-set.js';
import { moduleTable } from './module-table.js';

/**
 * Modules whose package has another name, as `module package,package`. Of several packages, all that a lock file names are
 * meant. Source: the packages' documentation. More come from Debian's index (module-table.ts).
 */
export const irregular = `
attr attrs|azure azure|bs4 beautifulsoup4|BeautifulSoup beautifulsoup4|cv2 opencv-python,opencv-python-headless,opencv-contrib-python,opencv-contrib-python-headless
PIL pillow,pillow-simd|Crypto pycryptodome,pycrypto|Cryptodome pycryptodomex|OpenSSL pyopenssl|nacl pynacl|jose python-jose,jose|jwt pyjwt,jwt
yaml pyyaml|sklearn scikit-learn|skimage scikit-image|dateutil python-dateutil|dotenv python-dotenv|magic python-magic,python-magic-bin|docx python-docx
pptx python-pptx|slugify python-slugify|multipart python-multipart,multipart|python_multipart python-multipart|ldap python-ldap|memcache python-memcached|Levenshtein levenshtein,python-levenshtein
MySQLdb mysqlclient,mysql-python|mysql mysql-connector-python,mysql-connector|psycopg2 psycopg2,psycopg2-binary|psycopg psycopg,psycopg-binary|pymysql pymysql|bson pymongo,bson|gridfs pymongo
rest_framework djangorestframework|rest_framework_simplejwt djangorestframework-simplejwt|corsheaders django-cors-headers|debug_toolbar django-debug-toolbar|django_filters django-filter|storages django-storages|crispy_forms django-crispy-forms
allauth django-allauth|environ django-environ,environ-config|guardian django-guardian|mptt django-mptt|taggit django-taggit|import_export django-import-export|drf_yasg drf-yasg|oauth2_provider django-oauth-toolkit|graphene_django graphene-django|channels channels
flask_sqlalchemy flask-sqlalchemy|sqlalchemy sqlalchemy|markdown markdown|jinja2 jinja2|werkzeug werkzeug|socketio python-socketio|engineio python-engineio|telegram python-telegram-bot|github pygithub|gitlab python-gitlab|git gitpython|gi pygobject
googleapiclient google-api-python-client|apiclient google-api-python-client|google_auth_oauthlib google-auth-oauthlib|google.protobuf protobuf|google.auth google-auth|google.oauth2 google-auth|google.api_core google-api-core|google.genai google-genai|google.generativeai google-generativeai
grpc grpcio|grpc_tools grpcio-tools|grpc_health grpcio-health-checking|grpc_status grpcio-status|serial pyserial|usb pyusb|zmq pyzmq|fitz pymupdf|pymupdf pymupdf|pypdf pypdf|PyPDF2 pypdf2|docutils docutils|lxml lxml|Xlib python-xlib
win32api pywin32|win32con pywin32|win32com pywin32|pythoncom pywin32|wx wxpython|pkg_resources setuptools|setuptools setuptools|_cffi_backend cffi|markupsafe markupsafe|ruamel.yaml ruamel-yaml|zope.interface zope-interface|mpl_toolkits matplotlib|pylab matplotlib
umap umap-learn|faiss faiss-cpu,faiss-gpu|torch torch|tensorflow tensorflow,tensorflow-cpu,tensorflow-gpu,tensorflow-intel,tensorflow-macos|speech_recognition speechrecognition|ffmpeg ffmpeg-python|Bio biopython|rdkit rdkit,rdkit-pypi|osgeo gdal|igraph igraph,python-igraph
snowflake.connector snowflake-connector-python|snowflake.sqlalchemy snowflake-sqlalchemy|airflow apache-airflow|pyspark pyspark|kafka kafka-python,kafka-python-ng|confluent_kafka confluent-kafka|consul python-consul,python-consul2|nmap python-nmap|whois python-whois|gnupg python-gnupg|daemon python-daemon|crontab python-crontab|decouple python-decouple
keystoneclient python-keystoneclient|novaclient python-novaclient|pam python-pam|jenkins python-jenkins|digitalocean python-digitalocean|binance python-binance|can python-can|pythonjsonlogger python-json-logger|json_log_formatter json-log-formatter|user_agents user-agents|ua_parser ua-parser
hvac hvac|simple_salesforce simple-salesforce|sendgrid sendgrid|slack_sdk slack-sdk|slack slackclient|discord discord-py,py-cord|nextcord nextcord|tweepy tweepy|stripe stripe|boto boto|botocore botocore|markdown_it markdown-it-py|mdurl mdurl|mdit_py_plugins mdit-py-plugins
tlz toolz|past future|builtins future|libfuturize future|pyximport cython|Cython cython|cairo pycairo|OpenGL pyopengl|pyasn1_modules pyasn1-modules|ntlm_auth ntlm-auth|requests_oauthlib requests-oauthlib|pasta google-pasta|absl absl-py|gast gast|flatbuffers flatbuffers|opt_einsum opt-einsum
fake_useragent fake-useragent|webdriver_manager webdriver-manager|undetected_chromedriver undetected-chromedriver|usaddress usaddress|pycountry pycountry|phonenumbers phonenumbers|sass libsass|scss pyscss|htmlmin htmlmin|compressor django-compressor|pipeline django-pipeline|webassets webassets
llama_index llama-index,llama-index-core|langchain langchain|vertexai google-cloud-aiplatform|sentence_transformers sentence-transformers|OpenEXR openexr|pcapy pcapy-ng|scapy scapy|nfqueue netfilterqueue|netfilterqueue netfilterqueue|impacket impacket|smb pysmb|smbclient smbprotocol|vlc python-vlc|pynput pynput|Quartz pyobjc-framework-quartz
rest_framework_nested drf-nested-routers|rudderstack rudder-sdk-python|segment segment-analytics-python|analytics analytics-python,segment-analytics-python|openfeature openfeature-sdk|sgbackend sendgrid-django|anymail django-anymail|pgvector pgvector|async_timeout async-timeout|aiohttp_cors aiohttp-cors|typing_extensions typing-extensions|mypy_extensions mypy-extensions|charset_normalizer charset-normalizer|cached_property cached-property|uritemplate uritemplate|httplib2 httplib2|oauth2client oauth2client|rsa rsa|cssselect cssselect|html5lib html5lib|tree_sitter tree-sitter
pydantic2ts pydantic-to-typescript,pydantic-to-typescript2|common.core flagsmith-common|common.gunicorn flagsmith-common|task_processor flagsmith-common|graphviz graphviz|psycopg_pool psycopg-pool|pyqrcode pyqrcode,pyqrcode-binary
`;

/**
 * First parts of modules that many packages share: the parts behind them name the package. The value goes before a package's
 * name where that has one more word.
 */
const sharedPrefixes: ReadonlyMap<string, string> = new Map([
  ...[
    ...wordSet(
      'google azure zope backports ruamel jaraco sphinxcontrib opentelemetry snowflake ibm aliyun tencentcloud oslo',
      'keystoneauth plone collective products repoze paste logilab mpl_toolkits llama_index langchain dogpile flufl',
      'nvidia databricks dbt xstatic',
    ),
  ].map((prefix) => [prefix, ''] as const),
  ['airflow', 'apache-'],
]);

/** Parts of a module that may belong to a package's name: `opentelemetry.exporter.otlp.proto.grpc` has five. */
const maxNameParts = 6;

const before = /^(?:python3?[-_.]|py[-_.]?|django[-_.]|drf[-_.])/;
const behind = /(?:[-_.](?:python3?|py|client|api|sdk|lib|cpp|ng)){1,3}$/;
/** Extensions of Django REST framework, whose modules begin with `rest_framework_`. */
const restFramework = /^(?:djangorestframework|drf)[-_.]/;

/** The letters and digits of a name: `zxing-cpp` is `zxingcpp`. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]/g, '');
}

/** A package's name without the words that its modules mostly leave out: `python-magic` and `PyYAML` are `magic` and `yaml`. */
function bareForms(name: string): string[] {
  const lower = name.toLowerCase();
  const forms = [
    lower.replace(before, ''),
    lower.replace(behind, ''),
    lower.replace(before, '').replace(behind, ''),
    lower.replace(restFramework, 'rest_framework_'),
  ];
  return [...new Set(forms.map(lettersOf))].filter((form) => form !== '' && form !== lettersOf(name));
}

/** Finds packages among those that the lock files name. */
export interface PackageFinder {
  /** The packages that a module comes from. */
  packagesOf(module: string): readonly string[];
  /** The packages with a name, where case and punctuation count the same. */
  named(name: string): readonly string[];
  /** Whether the tables list the modules of a package, so that an import of them is found. */
  isListed(name: string): boolean;
  /** The packages that may have a module whose name begins so. */
  startingWith(beginning: string): readonly string[];
}

/**
 * Finds the packages that a module comes from, among those that the lock files name. The tables and a package's own name, also
 * where hyphens differ, are certain. A name with the usual words around it is likely. `google.cloud.storage` is named by its parts.
 *
 * @param tables rows of `module package,package`
 */
export function pythonPackageFinder(
  packageNames: readonly string[],
  tables: readonly string[] = [irregular, moduleTable],
): PackageFinder {
  const byName = new Map(packageNames.map((name) => [normalisePython(name), name]));
  const byLetters = groupBy(packageNames, lettersOf);
  const byBareForm = groupBy(
    packageNames.flatMap((name) => bareForms(name).map((form) => ({ name, form }))),
    ({ form }) => form,
  );
  const listed = tables.map((rows) => packageTable(rows, (name) => byName.get(name)));
  const withModules = new Set(listed.flatMap((table) => [...table.values()].flat()));
  const inTables = (module: string) => listed.flatMap((table) => table.get(module) ?? []);
  const named = (name: string) => byLetters.get(lettersOf(name)) ?? [];
  const first = (answers: readonly (readonly string[])[]) => answers.find((names) => names.length > 0) ?? [];

  const packagesOf = remembering((module) => {
    const parts = module.split('.', maxNameParts);
    const [top = ''] = parts;
    // The longest beginning first.
    const beginnings = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
    const below = beginnings.slice(0, -1);
    const shared = sharedPrefixes.get(top);
    if (shared !== undefined) {
      const found = first(
        below.map((part) => [...new Set([...inTables(part), ...named(shared + withoutVersion(part))])]),
      );
      if (found.length > 0) return found;
    }
    const certain = new Set([...first(beginnings.map(inTables)), ...named(top)]);
    if (certain.size > 0) return [...certain];
    const likely = byBareForm.get(lettersOf(top))?.map(({ name }) => name) ?? [];
    return likely.length > 0 ? likely : first(below.map(named));
  });
  return {
    packagesOf,
    named,
    isListed: (name) => withModules.has(name),
    startingWith(beginning) {
      const letters = lettersOf(beginning);
      const starts = (form: string) => form.startsWith(letters);
      const byOwnName = packageNames.filter((name) => [lettersOf(name), ...bareForms(name)].some(starts));
      const byModule = listed.flatMap((table) =>
        [...table].flatMap(([module, names]) => (module.startsWith(beginning) ? names : [])),
      );
      return [...new Set([...byOwnName, ...byModule])];
    },
  };
}

/** `google.cloud.pubsub_v1` without the version of the interface. */
function withoutVersion(module: string): string {
  return module.replace(/_v\d\w*$/, '');
}
