/** A program: the floor. It passes one request on and one answer back, and looks at neither. */
import express from 'express';
import { fetchAlerts, port } from './upstream.ts';

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/api/projects/:project/alerts', async (req, res) => {
  res.type('json').send(await fetchAlerts(req.params.project, req.get('authorization')));
});
app.listen(port, '127.0.0.1');
