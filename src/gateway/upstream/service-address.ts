import * as z from 'zod';

/** The address of the service's REST API: scheme, host, port, and a path prefix to which `/api/...` is appended. */
export interface ServiceAddress {
  readonly origin: string;
  /** Without a trailing slash; empty where the API is at the root. */
  readonly prefix: string;
}

/** Reads the base address of the service, as `https://alerts.example.com` or `https://example.com/alerting`. */
export const serviceAddress = z
  .url({ protocol: /^https?$/, abort: true, error: 'is an http or https address such as http://127.0.0.1:3000' })
  .refine((text) => isBareAddress(new URL(text)), 'must not carry a user name, password, query or fragment')
  .transform((text): ServiceAddress => {
    const { origin, pathname } = new URL(text);
    return { origin, prefix: pathname.replace(/\/+$/, '') };
  });

function isBareAddress({ username, password, search, hash }: URL): boolean {
  return username + password + search + hash === '';
}
