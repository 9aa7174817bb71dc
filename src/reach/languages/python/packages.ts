import { normalisePython } from '../../lockfiles/names.js';
import { packageTable, remembering } from '../package-table.js';
import { wordSet } from '../word-set.js';

/**
 * Modules whose package has another name, as `module package,package`. Of several packages, all that a lock file names are
 * meant. Source: the packages' documentation.
 */
const irregular = `
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
lib2to3 lib2to3|async_timeout async-timeout|aiohttp_cors aiohttp-cors|typing_extensions typing-extensions|mypy_extensions mypy-extensions|charset_normalizer charset-normalizer|cached_property cached-property|uritemplate uritemplate|httplib2 httplib2|oauth2client oauth2client|rsa rsa|cssselect cssselect|html5lib html5lib|tree_sitter tree-sitter
`;

/** First parts of modules that many packages share: the parts behind them name the package. */
const sharedPrefixes = wordSet(
  'google azure zope backports ruamel jaraco sphinxcontrib opentelemetry snowflake ibm aliyun',
  'tencentcloud oslo keystoneauth plone repoze paste logilab mpl_toolkits llama_index',
);

/** Parts of a module that may belong to a package's name: `google.cloud.storage` is google-cloud-storage. */
const maxNameParts = 4;

/** How a package's name may differ from its module's. */
const spellings = [
  (module: string) => module,
  (module: string) => `python-${module}`,
  (module: string) => `py${module}`,
  (module: string) => `py-${module}`,
  (module: string) => `${module}-python`,
  (module: string) => `django-${module}`,
  (module: string) => `python-${module}-client`,
];

/**
 * Finds the packages that a module comes from, among those that the lock files name. Where the table lists the module, or the
 * package has its name, the answer is certain. Where one of the usual spellings fits, it is likely.
 */
export function pythonPackageFinder(packageNames: readonly string[]): (module: string) => readonly string[] {
  const byName = new Map(packageNames.map((name) => [normalisePython(name), name]));
  const table = packageTable(irregular, (name) => byName.get(name));
  return remembering((module) => {
    const parts = module.split('.').slice(0, maxNameParts);
    const [top = ''] = parts;
    const prefixes = parts.map((_, index) => parts.slice(0, parts.length - index));
    const inTable = prefixes.map((prefix) => table.get(prefix.join('.')) ?? []).find((names) => names.length > 0);
    const joined = prefixes.flatMap((prefix) => byName.get(normalisePython(prefix.join('-'))) ?? []);
    if (sharedPrefixes.has(top) && !table.has(parts.slice(0, 2).join('.')) && joined[0] !== undefined)
      return [joined[0]];
    if (inTable !== undefined) return inTable;
    const named = spellings.map((spell) => byName.get(normalisePython(spell(top)))).find((name) => name !== undefined);
    if (named !== undefined) return [named];
    return joined.slice(0, 1);
  });
}
