import type { Load } from '../support/load.js';
import type { StartedProgram } from '../support/started-program.js';
import { goalRows, subjects } from './subjects.js';

const [calls, step] = [100_000, 20_000];

/** Prints the memory of Postern after each 20,000 calls of all its kinds in turn, garbage collected: it should not grow. */
export async function measureMemory(postern: StartedProgram, load: Load, connections: number): Promise<void> {
  const single = subjects.filter(({ program, name }) => program === 'postern' && !name.includes('batch'));
  const mixed = single.map(({ call }) => call(goalRows));
  for (const call of mixed) await load.check(call);
  console.log('\nPostern after calls    resident MB    heap MB');
  for (let done = 0; done <= calls; done += step) {
    const { resident, heap } = await postern.memory();
    console.log(String(done).padStart(19), resident.toFixed(1).padStart(14), heap.toFixed(1).padStart(10));
    if (done < calls) await load.run(mixed, { atOnce: connections, max: step });
  }
}
