import { createRootRoute, Outlet } from '@tanstack/react-router';
import { NotFound } from './not-found.js';

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
