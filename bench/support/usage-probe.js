// Loaded into a program before its code (`--import`). It answers each message of the bench with the processor time of all
// threads and the memory of the process; 'collect' first collects garbage, if the program was started with --expose-gc.
process.on('message', (message) => {
  if (message === 'collect') globalThis.gc?.();
  process.send?.({ cpu: process.cpuUsage(), memory: process.memoryUsage() });
});
// A bench that dies leaves nothing behind.
process.on('disconnect', () => process.exit());
// The program ends as it would without the bench.
process.channel?.unref();
