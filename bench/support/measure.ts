import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What one run of a program cost. */
export interface Measured {
  /** User and system time of the process with all its threads. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMegabytes: number;
  /** Of standard output and standard error. */
  readonly outputBytes: number;
}

/** Loaded into the program before its own code: writes down what it has cost when it ends. */
const probe = `
import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.BENCH_PROBE,
  JSON.stringify({ cpu: process.cpuUsage(), peak: process.resourceUsage().maxRSS })));
`;

/** Runs a program of Node to its end. Linters exit with codes of their own: only a signal, or no measurement, is a failure. */
export function measure(args: readonly string[], cwd: string): Measured {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-probe-'));
  try {
    const [module, written] = [path.join(folder, 'probe.mjs'), path.join(folder, 'measured.json')];
    writeFileSync(module, probe);
    const start = performance.now();
    const { stdout, stderr, signal } = spawnSync(process.execPath, ['--import', pathToFileURL(module).href, ...args], {
      cwd,
      env: { ...process.env, BENCH_PROBE: written },
      maxBuffer: 1024 ** 3,
    });
    const wallSeconds = (performance.now() - start) / 1000;
    if (signal !== null) throw new Error(`${args[0]} was ended by ${signal}`);
    const { cpu, peak } = JSON.parse(readFileSync(written, 'utf8'));
    if (stdout.length === 0) throw new Error(`${args[0]} said nothing: ${stderr.toString().slice(0, 2000)}`);
    return {
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      wallSeconds,
      // Kibibytes, on every system but macOS of long ago (libuv).
      peakMegabytes: (peak * 1024) / 1e6,
      outputBytes: stdout.length + stderr.length,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
