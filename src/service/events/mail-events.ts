/** Mails with a link, which somebody waits for. */
export const linkEvents = ['invite', 'password_reset', 'address_proof'] as const;
export type LinkEvent = (typeof linkEvents)[number];

/** What happened in the projects of a group, for its owner. */
export const ownerEvent = 'owner_notifications';
