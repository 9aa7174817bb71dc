import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { maxReportBytes } from '../../procedures/scanner-formats.js';
import { jsonObject } from '../../procedures/wire.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { plainText } from '../../shared/text/plain-text.js';
import { FileError } from '../file-error.js';

/** The report cannot be read from disk, or is not in its format's encoding. */
class ReportFileError extends FileError {
  constructor(path: string, what: string) {
    super(`${plainText(path)} ${what}`);
  }
}

/** The text of a report, without a byte order mark. */
async function readReportText(path: string): Promise<string> {
  const bytes = await readWhole(path);
  if (!isUtf8(bytes)) throw new ReportFileError(path, 'is not UTF-8');
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') throw new ReportFileError(path, 'is empty');
  return text;
}

/** A report in JSON, as its object. */
export async function readJsonReport(path: string): Promise<Record<string, unknown>> {
  return objectIn(path, await readReportText(path));
}

/** A report in JSON as its object, one in XML as its text. */
export async function readJsonOrXmlReport(path: string): Promise<Record<string, unknown> | string> {
  const text = await readReportText(path);
  return text.trimStart().startsWith('<') ? text : objectIn(path, text);
}

function objectIn(path: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReportFileError(path, 'is not JSON');
  }
  const { data } = jsonObject.safeParse(value);
  if (data === undefined) throw new ReportFileError(path, 'is JSON, but no object');
  return data;
}

async function readWhole(path: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const status = await file.stat();
      if (!status.isFile()) throw new ReportFileError(path, 'is no file');
      if (status.size > maxReportBytes) throw new ReportFileError(path, 'is larger than 64 MB');
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ReportFileError) throw error;
    const code = codeOfError(error) ?? 'unknown error';
    throw new ReportFileError(path, `cannot be read (${code})`);
  }
}
