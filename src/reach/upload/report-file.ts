import { open } from 'node:fs/promises';
import { maxReportBytes } from '../../procedures/scanner-formats.js';
import { jsonObject } from '../../procedures/wire.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { findJsonFault } from '../../shared/json/json-fault.js';
import { plainText } from '../../shared/text/plain-text.js';
import { readText, TextFault } from '../../shared/text/read-text.js';
import { FileError } from '../file-error.js';

/** The report cannot be read from disk, or is not in its format's encoding. */
class ReportFileError extends FileError {
  constructor(path: string, what: string) {
    super(`${plainText(path)} ${what}`);
  }
}

/** The text of a report, whose file may be compressed by gzip. */
async function readReportText(path: string): Promise<string> {
  const text = await readText(await readWhole(path), { maxBytes: maxReportBytes }).catch((error: unknown) => {
    throw error instanceof TextFault ? new ReportFileError(path, error.message) : error;
  });
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
  } catch (error) {
    if (error instanceof RangeError) throw new ReportFileError(path, 'is nested too deeply');
    const { line, column, expected } = findJsonFault(text);
    throw new ReportFileError(path, `is not JSON: expected ${expected} at line ${line}, column ${column}`);
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
