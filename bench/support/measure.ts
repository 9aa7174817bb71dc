import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The cost of one run of a program. */
export interface Measured {
  /** User and system time of the process with all its threads. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMegabytes: number;
  /** Standard output and standard error together. */
  readonly outputBytes: number;
}

/** Loaded into the program before its code: writes its processor time and memory to a file when it exits. */
const probe = `
import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.BENCH_PROBE,
  JSON.stringify({ cpu: process.cpuUsage(), peak: process.resourceUsage().maxRSS })));
`;

/** Runs a Node program to its end. Any exit code is accepted, as linters have many; a signal or no output is an error. */
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
      // maxRSS is in kibibytes on every system (libuv).
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
