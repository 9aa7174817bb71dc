import { Argument, type Command } from 'commander';
import * as z from 'zod';
import { formatsOf, type ScannedDomain, scannerFormats } from '../../procedures/scanner-formats.js';
import { formatCount, wordList } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';
import { UsageError } from '../remote/environment.js';
import { receiptLines } from '../upload/receipt-text.js';
import type { Uploaded, UploadedResult } from '../upload/upload.js';
import { type CommandContext, environmentHelp, fail } from './cli-context.js';
import { startProgressLater } from './progress.js';

/** One line a format. */
const formats = scannerFormats.map(
  ({ id, title, encodings }) => `  ${id.padEnd(8)} ${title}, in ${wordList(encodings, 'or')}`,
);

const examples = `
Examples:
  reach upload sarif semgrep.sarif --project prj_1 --repo https://example.com/shop
  reach upload zap report.json --project prj_1 --mode full     JSON or XML
  reach upload trivy trivy.json --project prj_1                the image that the report names
  reach upload grype grype.json --project prj_1 --image registry.example.com/shop:1.2
  reach upload vex openvex.json --project prj_1                CycloneDX, OpenVEX or CSAF: it proposes overrides

${environmentHelp}

Takes reports of up to 64 MB:
${formats.join('\n')}

Exits with 0 when done, 1 when refused or failed, 2 for wrong usage.
`;

const kinds = (domain: ScannedDomain) =>
  formatsOf(domain)
    .map(({ id }) => id)
    .join(', ');

const flags = z.looseObject({ json: z.boolean().default(false) });

export function addUpload(program: Command, context: CommandContext): void {
  const { env, version, stdout } = context;
  program
    .command('upload')
    .description('Uploads a scanner’s report to a project; what it no longer reports is fixed.')
    .addArgument(new Argument('<KIND>', 'whose report it is').choices([...scannerFormats.map(({ id }) => id), 'vex']))
    .argument('<FILE>', 'the report')
    .requiredOption('--project <ID>', 'the project, by its id')
    .option('--repo <URL>', `${kinds('code')}: the repository that was scanned`)
    .option('--mode <MODE>', `${kinds('running_app')}: baseline, full or api (default baseline)`)
    .option('--scan-job <ID>', `${kinds('running_app')}: the hosted scan that this is the result of`)
    .option('--image <REF>', `${kinds('containers')}: the image, where the report names none`)
    .option('--complete', `${kinds('containers')}: no filter left anything out, so what is missing is fixed`)
    .option('--product <NAME>', 'vex: the name by which the document calls the project')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples)
    .action(async (kind: string, file: string, given: unknown) => {
      const { json, ...rest } = flags.parse(given);
      const progress = startProgressLater(context);
      if (kind === 'vex') {
        const { uploadVex, uploadedVexText } = await import('../upload/upload-vex.js');
        const uploaded = await uploadVex({ ...rest, file }, env, `reach/${version}`, progress.show).finally(
          progress.end,
        );
        stdout(json ? `${JSON.stringify(uploaded)}\n` : uploadedVexText(uploaded));
        if (uploaded.error !== null) fail(context, uploaded.error);
        return;
      }
      if (rest['product'] !== undefined) throw new UsageError(`--product is for vex documents, not for ${kind}`);
      const { upload } = await import('../upload/upload.js');
      const uploaded = await upload({ ...rest, kind, file }, env, `reach/${version}`, progress.show).finally(
        progress.end,
      );
      stdout(json ? `${JSON.stringify(uploaded)}\n` : uploadText(uploaded));
      if (uploaded.error !== null) fail(context, uploaded.error);
    });
}

/** Images that are listed. */
const maxImages = 50;

/** A line an image, where a report has several. */
function imageLines({ images = [] }: UploadedResult): string[] {
  if (images.length < 2) return [];
  const lines = images
    .slice(0, maxImages)
    .map(
      ({ ref, findings }) =>
        `    ${plainText(ref, 300)}: ${formatCount(findings.new)} new, ${formatCount(findings.fixed)} fixed`,
    );
  return [`  images: ${formatCount(images.length)}`, ...lines, ...(images.length > maxImages ? ['    …'] : [])];
}

/** The result as people read it. The error, if any, is not in it: it goes to standard error. */
function uploadText({ project_id, file, result }: Uploaded): string {
  if (result === null) return '';
  const { findings, tiers, duplicate, receipt, note } = result;
  const changed = (['new', 'reopened', 'fixed', 'unchanged', 'suppressed'] as const)
    .map((outcome) => `${formatCount(findings[outcome])} ${outcome}`)
    .join(', ');
  return [
    `Uploaded ${plainText(file)} to project ${plainText(project_id)}:`,
    ...receiptLines(receipt),
    duplicate ? '  the newest scan had this very content: nothing changed' : `  findings: ${changed}`,
    ...(note === null ? [] : [`  ${plainText(note)}`]),
    `  open now: ${formatCount(tiers.red)} RED, ${formatCount(tiers.yellow)} YELLOW, ${formatCount(tiers.green)} GREEN`,
    ...imageLines(result),
    '',
  ].join('\n');
}
