import { type Request, type RequestHandler, type Response, Router } from 'express';
import { ApiError, notFound } from './api-error.js';

/** One method of one path; `{names}` in the path are its parameters. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly answer: (req: Request, res: Response) => Promise<void>;
}

/** A router over routes. Where a path has no route for the method, its methods go into Allow, for `rejectUnrouted`. */
export function routerOf(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, methods] of byPath(routes)) {
    router.all(path.replace(/\{(\w+)\}/g, ':$1'), async (req, res, next) => {
      const answer = methods.get(req.method === 'HEAD' ? 'GET' : req.method);
      if (answer === undefined) {
        res.append('Allow', methods.has('GET') ? [...methods.keys(), 'HEAD'] : [...methods.keys()]);
        next();
        return;
      }
      res.removeHeader('Allow');
      await answer(req, res);
    });
  }
  return router;
}

function byPath(routes: readonly Route[]): ReadonlyMap<string, ReadonlyMap<string, Route['answer']>> {
  const paths = new Map<string, Map<string, Route['answer']>>();
  for (const { method, path, answer } of routes) {
    paths.set(path, (paths.get(path) ?? new Map<string, Route['answer']>()).set(method, answer));
  }
  return paths;
}

/** The last handler: 405 where the path has other methods, 404 otherwise. */
export const rejectUnrouted: RequestHandler = (req, res) => {
  const allowed = res.getHeader('Allow');
  if (allowed === undefined) throw notFound('route');
  res.set('Allow', [allowed].flat().join(', '));
  throw new ApiError('method_not_allowed', { detail: `${req.method} is not answered here; Allow names what is` });
};
