import { createRoute, redirect } from '@tanstack/react-router';
import { isPosternError } from '../../client/index.js';
import { queryClient } from '../api/client.js';
import { sessionQuery } from '../api/session.js';
import { Frame } from './frame.js';
import { rootRoute } from './root-route.js';

/** Every page for people who are signed in. Others are asked to sign in first, and come back to where they were going. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isPosternError(error) || error.data.failure !== 'unauthenticated') throw error;
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } });
    }
  },
});
