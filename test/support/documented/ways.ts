import { bare } from './commands.js';

/** Where a documented command runs: in a clone, where the server keeps its data, in a project of one's own, or in an empty folder. */
export type Place = 'clone' | 'server' | 'project' | 'empty';

export interface Way {
  /** The command's first line as the document has it. */
  readonly first: string;
  readonly place: Place;
  /** What its output shows. */
  readonly shows: readonly (string | RegExp)[];
  /** A block that needs what an earlier one exports. */
  readonly withKey?: true;
}

/** Run one after the other, as they stand. */
export const ways: readonly Way[] = [
  {
    first: 'npx --yes --package http://127.0.0.1:3000/download/postern.tgz reach --help',
    ...{ place: 'empty', shows: [/Usage: reach/] },
  },
  { first: 'npm run bench', place: 'clone', shows: [/capacity, .*gateway/] },
  {
    first: 'postern feeds sync                      # OSV, EPSS and KEV from their publishers; FEEDS_SYNC=true: daily',
    place: 'server',
    shows: ['osv:all.zip', 'osv:more.ndjson', 'epss:', 'kev', 'symbols:symbols.ndjson', /: 1 added/],
  },
  { first: 'postern feeds load --osv all.zip --covers npm,PyPI', place: 'server', shows: ['osv:all.zip'] },
  {
    first: 'curl -X POST http://127.0.0.1:3000/api/operator/organisations \\',
    ...{ place: 'server', shows: ['"name":"Acme"', '"plan":"Business"', 'ada@acme.example'] },
  },
  {
    first: 'postern reset-password ada@acme.example',
    ...{ place: 'server', shows: [/A new password for ada@acme\.example can be set once/] },
  },
  {
    first: 'postern prove <organisation id> acme.example',
    ...{ place: 'server', shows: [/^acme\.example is a domain of org_\w+ from now on\.$/m] },
  },
  { first: 'postern backup backup.tar.gz', place: 'server', shows: ['backup.tar.gz', 'restored'] },
  {
    first: 'curl -H "authorization: Bearer $(cat .postern/operator.key)" http://127.0.0.1:3000/api/operator/jobs',
    ...{ place: 'server', shows: ['"jobs":[', '"last_failure":null', '"uploads":'] },
  },
  { first: 'postern doctor', place: 'server', shows: [/ok +port +a Postern serves on port/, /ok +database/] },
  {
    first: 'export SERVICE_API_KEY=<a ReadWrite key>',
    ...{ place: 'project', shows: ['package-lock.json', 'lodash', 'reached'] },
  },
  {
    first:
      'curl --data-binary @bom.json -H \'content-type: application/json\' -H "authorization: Bearer $SERVICE_API_KEY" \\',
    ...{ place: 'project', shows: ['"receipt":', /"taken":1\b/], withKey: true },
  },
  {
    first: 'reach upload sarif report.sarif --project <project id> --repo https://github.com/acme/shop',
    ...{ place: 'project', shows: [/2 new/, /1 new/], withKey: true },
  },
  { first: 'reach explain PACKAGE', place: 'project', shows: ['index.js'] },
  { first: 'reach plan --project <project id>', place: 'project', shows: [/upgrade/i], withKey: true },
];

/** What a command names that no test can have as it is. Everything else is run as written. */
export interface Places {
  readonly url: string;
  readonly organisationId: string;
  readonly projectId: string;
  readonly readKey: string;
  readonly writeKey: string;
}

export function withPlaces(command: string, { url, organisationId, projectId, writeKey }: Places): string {
  return command
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('https://alerts.example.com', url)
    .replaceAll('<organisation id>', organisationId)
    .replaceAll('<project id>', projectId)
    .replaceAll('<a ReadWrite key>', writeKey)
    .replace(/\bPACKAGE$/, 'lodash');
}

/** Started by the test itself, because they go on. */
export const servers = ['npm ci && npm start', 'SERVICE_API_URL=https://alerts.example.com npm start'] as const;

/** Claude Code is not here: what it is told is tried as the configurations of other MCP clients are. */
export const claudeCode =
  'claude mcp add --transport http postern http://127.0.0.1:3000/mcp --header "Authorization: Bearer $POSTERN_KEY"';

/** Run before all others: they bring the programs. */
export const install = 'npm install --global http://127.0.0.1:3000/download/postern.tgz';

/** Lines of a block, or commands in a sentence, that are not run here, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'npm test': 'is what is running',
  'npm run check': 'is a step of CI of its own',
  'npm run conformance': 'installs the suites of others: run before a release',
  'npm run test:clients': 'installs the clients of others: run before a release',
  'npm run evals': 'its paths are run by test/evals',
  'npm run prove': 'its short form is run by test/security',
  'npm run prove -- --short': 'is run by test/security',
  'npm run prove -- --url URL --key READ_KEY': 'its form without harm is run by test/security',
  'npm run screenshots': 'writes pictures into the clone',
  'npm run bench web': 'measures, and asserts nothing',
  'npm run bench capacity': 'measures, and asserts nothing',
  'npm run bench types': 'measures, and asserts nothing',
  'npm run build': 'is what `npm start` does first',
  'npm run mcpb': 'is run by test/mcpb.test.ts',
  'npm run sbom': 'is run by test/own-sbom.test.ts',
  'npm install': 'is the block above without --global: tried with the package',
  'node dist/postern.js': 'is what `npm start` runs',
  'postern feeds sync': 'takes gigabytes from publishers: test/service/feeds has them on loopback',
  'postern verify': 'names the command',
  'postern verify receipt.jws': 'needs a receipt: test/bin/verify-command.test.ts has one',
  'postern migrate --to postgres://…': 'needs an empty PostgreSQL: its tests have one',
  [claudeCode]: 'needs Claude Code',
  'docker build -f deploy/Dockerfile -t postern .':
    'needs a container engine: test/deploy.test.ts builds from its context',
  'docker compose -f deploy/compose.yaml up --detach --build': 'needs a container engine',
  'kubectl create secret generic postern': 'needs a cluster',
  'openssl rand -hex 32': 'is another program, which makes a key',
  'caddy adapt --validate': 'is run by test/deploy.test.ts, where Caddy is installed',
  'python -X importtime': 'is another program, whose record is read',
  'trivy k8s --report all': 'is another program, whose report is read',
  'reach sync': 'names the command of the block above',
  'reach analyze': 'names the command of the block above',
  'reach --knowledge DIR': 'needs a set: test/bin/knowledge-command.test.ts has one',
  'postern knowledge update': 'names the command',
  'postern knowledge update <url or file>': 'needs a bundle: test/bin/knowledge-command.test.ts has one',
  'postern knowledge bundle --out FILE': 'is run by test/bin/knowledge-command.test.ts',
  'openssl genpkey -algorithm ed25519': 'is another program, which makes a key',
  'reach upload vex': 'names the kind: test/reach/upload runs it',
};

/** A command without the lines that are not run here. */
export const runnable = (text: string): string =>
  text
    .split('\n')
    .filter((line) => notRun[bare(line)] === undefined)
    .join('\n');
