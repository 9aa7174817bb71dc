// Writes the SBOM of Postern itself, made by Postern: `npm run build && npm run sbom [-- FILE]`. A fresh server reads this lock file.
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const [file = 'postern.cdx.json'] = process.argv.slice(2);
const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
const folder = await mkdtemp(path.join(tmpdir(), 'postern-sbom-'));
const settings = {
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  DATA_DIR: path.join(folder, 'data'),
  POSTERN_SAMPLE: 'false',
};
const server = spawn(process.execPath, [path.join(root, 'dist/postern.js')], {
  cwd: folder,
  env: settings,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => server.once('close', resolve));
try {
  const url = await address();
  const { admin } = JSON.parse(await readFile(path.join(settings.DATA_DIR, 'first-run.json'), 'utf8'));
  const { token } = await call(url, 'POST', '/api/session', { email: admin.email, password: admin.password });
  const project = await call(url, 'POST', '/api/projects', { name }, token);
  const { key } = await call(url, 'POST', '/api/org/api-keys', { name: 'sbom', scope: 'ReadWrite' }, token);
  // A copy, because tests and benches beside it have lock files of their own.
  const copy = path.join(folder, 'source');
  await mkdir(copy);
  for (const each of ['package.json', 'package-lock.json'])
    await writeFile(path.join(copy, each), await readFile(path.join(root, each)));
  await promisify(execFile)(
    process.execPath,
    [path.join(root, 'dist/reach.js'), 'sync', copy, '--project', project.id],
    {
      env: { SERVICE_API_URL: url, SERVICE_API_KEY: key },
    },
  );
  const sbom = await call(url, 'GET', `/api/projects/${project.id}/sbom/document`, undefined, token);
  await writeFile(file, `${JSON.stringify(sbom, null, 2)}\n`);
  process.stdout.write(`${file}: ${name} ${version}, ${sbom.components.length} components\n`);
} finally {
  server.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

async function address() {
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /^Postern is ready at (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server did not start');
}

async function call(url, method, at, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(`${url}${at}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${at} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
