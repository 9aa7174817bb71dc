import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { frameRoute } from '../../frame/frame-route.js';
import { projectRoute } from '../project/layout-route.js';
import { codeSearch, imagesSearch, runningAppSearch } from './search.js';

const code = {
  path: '/code',
  validateSearch: codeSearch,
  component: lazyRouteComponent(() => import('./code/page.js'), 'CodePage'),
} as const;
const codeFinding = lazyRouteComponent(() => import('./code/detail.js'), 'CodeFindingPage');

const allCode = createRoute({ getParentRoute: () => frameRoute, ...code });
const ofAllCode = createRoute({
  getParentRoute: () => allCode,
  path: '$projectId/$findingId',
  component: codeFinding,
});
export const codeRoutes = allCode.addChildren([ofAllCode]);

const projectCode = createRoute({ getParentRoute: () => projectRoute, ...code });
const ofProjectCode = createRoute({ getParentRoute: () => projectCode, path: '$findingId', component: codeFinding });
export const projectCodeRoutes = projectCode.addChildren([ofProjectCode]);

const runningApp = {
  path: '/running-app',
  validateSearch: runningAppSearch,
  component: lazyRouteComponent(() => import('./running-app/page.js'), 'RunningAppPage'),
} as const;
const runningAppFinding = lazyRouteComponent(() => import('./running-app/detail.js'), 'RunningAppFindingPage');

const allRunningApp = createRoute({ getParentRoute: () => frameRoute, ...runningApp });
const ofAllRunningApp = createRoute({
  getParentRoute: () => allRunningApp,
  path: '$projectId/$findingId',
  component: runningAppFinding,
});
export const runningAppRoutes = allRunningApp.addChildren([ofAllRunningApp]);

const projectRunningApp = createRoute({ getParentRoute: () => projectRoute, ...runningApp });
const ofProjectRunningApp = createRoute({
  getParentRoute: () => projectRunningApp,
  path: '$findingId',
  component: runningAppFinding,
});
export const projectRunningAppRoutes = projectRunningApp.addChildren([ofProjectRunningApp]);

const images = {
  path: '/images',
  validateSearch: imagesSearch,
  component: lazyRouteComponent(() => import('./images/page.js'), 'ImagesPage'),
} as const;
const imageFinding = lazyRouteComponent(() => import('./images/detail.js'), 'ImageFindingPage');
const image = lazyRouteComponent(() => import('./images/image.js'), 'ImagePage');

const allImages = createRoute({ getParentRoute: () => frameRoute, ...images });
const ofAllImages = createRoute({
  getParentRoute: () => allImages,
  path: '$projectId/$findingId',
  component: imageFinding,
});
const imageOfAll = createRoute({
  getParentRoute: () => allImages,
  path: 'image/$projectId/$imageId',
  component: image,
});
export const imagesRoutes = allImages.addChildren([ofAllImages, imageOfAll]);

const projectImages = createRoute({ getParentRoute: () => projectRoute, ...images });
const ofProjectImages = createRoute({
  getParentRoute: () => projectImages,
  path: '$findingId',
  component: imageFinding,
});
const imageOfProject = createRoute({ getParentRoute: () => projectImages, path: 'image/$imageId', component: image });
export const projectImagesRoutes = projectImages.addChildren([ofProjectImages, imageOfProject]);
