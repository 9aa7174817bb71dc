import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { startService, type TestService } from './support/service.js';
import { newScannedProject } from './service/findings/scanned-project.js';
import { result, run, sarif } from './service/sast/sarif-report.js';
let service: TestService;
beforeAll(async () => { service = await startService(); });
afterAll(() => service.close());
test('x', { timeout: 300_000 }, async () => {
  const project = await newScannedProject(service);
  const lines: string[] = [];
  const results = Array.from({ length: 100_000 }, (_, n) => result(n % 900 + 1, { ruleId: `R${n % 50}`, message: { text: `this is wrong ${'x'.repeat(380)}` } }, `src/dir${n % 97}/file${n % 1999}.ts`));
  const text = JSON.stringify(sarif(run(results)));
  let peak = 0;
  const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage().rss); }, 20);
  const rss0 = process.memoryUsage().rss;
  for (const [name, body] of [['first', text], ['again', text.replace('this is wrong', 'this is wrong!')], ['dup', text.replace('this is wrong', 'this is wrong!')]] as const) {
    const t = performance.now();
    const up = await project.uploadSarif(body);
    lines.push(`${name}: ${(body.length / 1048576).toFixed(1)} MB ${((performance.now() - t) / 1000).toFixed(1)} s ${JSON.stringify(up)}`);
  }
  clearInterval(timer);
  lines.push(`rss before ${(rss0 / 1048576) | 0} peak ${(peak / 1048576) | 0}`);
  writeFileSync('/tmp/measure.txt', lines.join('\n'));
});
