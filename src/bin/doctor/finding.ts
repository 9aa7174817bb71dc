/** What `postern doctor` has found. No message repeats a value that may be secret. */
export interface Finding {
  readonly check:
    | 'versions'
    | 'environment'
    | 'port'
    | 'data folder'
    | 'disk'
    | 'database'
    | 'feeds'
    | 'redis'
    | 'service';
  /** An `error` keeps Postern from starting, or from being safe; a `warning` is for somebody to decide on. */
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: string;
}

export const ok = (check: Finding['check'], message: string): Finding => ({ check, level: 'ok', message });
export const warning = (check: Finding['check'], message: string): Finding => ({ check, level: 'warning', message });
export const error = (check: Finding['check'], message: string): Finding => ({ check, level: 'error', message });
