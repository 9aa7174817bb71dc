import { toAlert } from '../alerts/alert-row.js';
import { findAlert } from '../alerts/find-alert.js';
import type { Handlers } from '../api/handler.js';

/** One alert with what is known of it. */
export const getAlert: Handlers['alerts']['get'] = async (ctx, key) => {
  const alert = await findAlert(ctx, key);
  return {
    ...toAlert(alert),
    description: null,
    references: [],
    dependency_paths: null,
    import_sites: null,
    fix: null,
    no_fix: 'no_safe_version',
    override: null,
  };
};
