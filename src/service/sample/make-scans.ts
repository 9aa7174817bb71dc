import { type Context, landingIn } from '../api/handler.js';
import { containerHandlers } from '../containers/handlers.js';
import { dastHandlers } from '../dast/handlers.js';
import { sastHandlers } from '../sast/handlers.js';
import { imageScans, shopDockerfile } from './image-scans.js';
import { sarifReports } from './sarif-reports.js';
import { shopUrl, zapReports } from './zap-reports.js';

/** The request context with the time of so many days ago. */
export type DaysAgo = (days: number) => Context;

export const shopRepo = 'https://git.example.com/shop/web-shop';

/** Scans of code, site and images, each stored like an upload. Within the last week findings were fixed and new ones came. */
export async function makeScans(daysAgo: DaysAgo, project_id: string): Promise<void> {
  await scanCode(daysAgo, project_id);
  await scanSite(daysAgo, project_id);
  await scanImages(daysAgo, project_id);
}

async function scanCode(daysAgo: DaysAgo, project_id: string): Promise<void> {
  const scan = async (days: number, report: Record<string, unknown>) => {
    const write = await sastHandlers.uploadReport.read({ project_id, source_repo: shopRepo, report });
    await write(landingIn(daysAgo(days)));
  };
  await scan(28, sarifReports.first);
  await scan(3, sarifReports.second);
}

async function scanSite(daysAgo: DaysAgo, project_id: string): Promise<void> {
  const target = { project_id, url: shopUrl, name: 'Web shop', environment: 'production' };
  const { id: target_id } = await dastHandlers.addTarget(daysAgo(24), target);
  const scan = async (days: number, report: Record<string, unknown>) => {
    const write = await dastHandlers.uploadReport.read({ project_id, mode: 'baseline', report });
    await write(landingIn(daysAgo(days)));
  };
  await scan(24, zapReports.first);
  await scan(5, zapReports.second);
  await dastHandlers.queueServerScan(daysAgo(0), { project_id, target_id, mode: 'full' });
}

async function scanImages(daysAgo: DaysAgo, project_id: string): Promise<void> {
  const scan = async (days: number, report: Record<string, unknown>) => {
    const write = await containerHandlers.uploadReport.read({ project_id, report });
    return write(landingIn(daysAgo(days)));
  };
  const { image_id } = await scan(20, imageScans.shopFirst);
  await containerHandlers.setDockerfile(daysAgo(20), { project_id, image_id, ...shopDockerfile });
  await scan(12, imageScans.newerBase);
  await scan(4, imageScans.shopSecond);
}
