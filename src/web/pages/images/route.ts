import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { findingSearch } from '../../components/finding/search.js';
import { frameRoute } from '../../frame/frame-route.js';
import { projectRoute } from '../project/layout-route.js';

const list = lazyRouteComponent(() => import('./page.js'), 'ImagesPage');
const projectList = lazyRouteComponent(() => import('./page.js'), 'ProjectImagesPage');
const detail = lazyRouteComponent(() => import('./detail.js'), 'ImageFindingPage');
const projectDetail = lazyRouteComponent(() => import('./detail.js'), 'ProjectImageFindingPage');
const image = lazyRouteComponent(() => import('./image.js'), 'ImagePage');
const projectImage = lazyRouteComponent(() => import('./image.js'), 'ProjectImagePage');

const search = z.extend(findingSearch, {
  /** Undefined: the images. */
  view: z.catch(z.optional(z.enum(['findings'])), undefined),
});

/** The lists over all projects, and a detail beside them. */
const allRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/images',
  validateSearch: search,
  component: list,
});
const allDetailRoute = createRoute({
  getParentRoute: () => allRoute,
  path: '$projectId/$findingId',
  component: detail,
});
const allImageRoute = createRoute({
  getParentRoute: () => allRoute,
  path: 'image/$projectId/$imageId',
  component: image,
});
export const imagesRoutes = allRoute.addChildren([allDetailRoute, allImageRoute]);

/** The same of one project. */
const ofProjectRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/images',
  validateSearch: search,
  component: projectList,
});
const ofProjectDetailRoute = createRoute({
  getParentRoute: () => ofProjectRoute,
  path: '$findingId',
  component: projectDetail,
});
const ofProjectImageRoute = createRoute({
  getParentRoute: () => ofProjectRoute,
  path: 'image/$imageId',
  component: projectImage,
});
export const projectImagesRoutes = ofProjectRoute.addChildren([ofProjectDetailRoute, ofProjectImageRoute]);
