/** A program: the service behind all subjects. It answers from memory, so that it costs as little as possible. */
import { createServer } from 'node:http';
import { procedures } from '../../src/procedures/index.js';
import { domains } from '../../src/procedures/risk.js';
import { alertPage, domainDiff, domainRisks, domainSummary, verdictCounts } from './upstream-rows.js';

const { alerts, posture } = procedures;

/** What the service may answer: a row that the schema refuses would be measured as an error. */
const answers = new Map<string, Buffer>();
function add(path: string, { output }: { output: { parse(value: unknown): unknown } }, answer: unknown): void {
  const text = JSON.stringify(answer);
  output.parse(JSON.parse(text));
  answers.set(path, Buffer.from(text));
}
for (const rows of [1, 25, 100]) add(`/api/projects/prj_${rows}/alerts`, alerts.list, alertPage(rows));
for (const domain of domains) {
  add(`/api/posture/${domain}/diff`, posture.getDomainDiff, domainDiff(domain));
  add(`/api/posture/${domain}/risks`, posture.getDomainRisks, domainRisks(domain));
  add(`/api/posture/${domain}/summary`, posture.getDomainSummary, domainSummary(domain));
}
add('/api/posture/verdicts', posture.getVerdictCounts, verdictCounts);

createServer((req, res) => {
  const answer = answers.get(req.url?.replace(/\?.*$/, '') ?? '');
  // Without a length Node would send chunks.
  const length = answer?.length ?? 0;
  res.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json', 'content-length': length });
  res.end(answer);
}).listen(Number(process.env['PORT']), '127.0.0.1');
