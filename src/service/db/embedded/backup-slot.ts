/** While it exists, the server keeps its whole log: one that a killed process has left would fill the disk. */
const slot = 'postern_backup';

/** Keeps the log from now on. */
export const makeBackupSlot = `select pg_create_physical_replication_slot('${slot}', true)`;

/** Lets the log go, where it was kept. */
export const dropBackupSlot = `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '${slot}'`;
