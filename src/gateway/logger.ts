import { destination, type Logger, pino } from 'pino';

/** JSON lines to a file descriptor: 1 for a server, 2 where stdout carries the protocol. */
export function createLogger(level: string, descriptor: 1 | 2): Logger {
  return pino({ level, ...redaction }, destination(descriptor));
}

/** Log lines are made of named fields, without headers. This is the second protection, should a line contain one. */
export const redaction = {
  redact: {
    paths: [
      'authorization',
      'credential',
      'headers',
      'cookie',
      '*.authorization',
      '*.credential',
      '*.headers',
      '*.cookie',
      '*["x-service-key"]',
    ],
    censor: '[redacted]',
  },
};
