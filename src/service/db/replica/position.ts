import * as z from 'zod';

/**
 * A place in the write-ahead log, in bytes. PostgreSQL writes it as two hexadecimal numbers of 32 bits (`pg_lsn`), as `16/B374D848`.
 */
export type Position = bigint;

export const position = z
  .string()
  .regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/i)
  .transform((text): Position => {
    const [high = '', low = ''] = text.split('/');
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
  });
