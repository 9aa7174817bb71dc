import { ProjectOccupied } from './project-occupied.js';

/**
 * Runs a transaction of the service's own work. Each attempt waits some seconds for a landing on its project. One that never
 * ends is undone when its lease has.
 */
export async function whenFree<T>(transact: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await transact();
    } catch (error) {
      if (!(error instanceof ProjectOccupied)) throw error;
    }
  }
}
